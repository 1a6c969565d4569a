/** The costs of twelve months as columns, in calendar order; unfinished months have only an outline. */
import { Facts, Fold } from '../../ui/layout'
import { monthName, monthWord } from '../../ui/months'
import { texts } from './texts'
import type { YearMonth } from './useCosts'

const HEIGHT = 200
const BASE = 172
const TOP = 22
const SHORT = 3
/** The column's share of a month's width. */
const WIDE = 0.6

export function Year({ months, shown }: { months: readonly YearMonth[]; shown: string }) {
  const maximum = Math.max(1, ...months.map(({ totalCents }) => totalCents))
  const slot = 100 / months.length
  const total = months.reduce((sum, { totalCents }) => sum + totalCents, 0)
  return (
    <>
      <svg
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={texts.yearShown(Number(shown.slice(0, SHORT + 1)))}
        fontSize="12"
      >
        <text x="0" y="14" fill="var(--sw-muted)">
          {texts.wholeEuros(maximum)}
        </text>
        <line x1="0" x2="100%" y1={TOP} y2={TOP} stroke="var(--sw-line)" />
        {months.map(({ month, totalCents, draft }, index) => {
          const height = (totalCents / maximum) * (BASE - TOP)
          return (
            <g key={month}>
              <rect
                x={`${(index + (1 - WIDE) / 2) * slot}%`}
                width={`${slot * WIDE}%`}
                y={BASE - height}
                height={height}
                rx="2"
                fill={draft ? 'var(--sw-accent-soft)' : 'var(--sw-accent)'}
                stroke="var(--sw-link)"
                strokeDasharray={draft ? '4 3' : undefined}
              />
              <text
                x={`${(index + 1 / 2) * slot}%`}
                y={HEIGHT - 8}
                textAnchor="middle"
                fill={month === shown ? 'var(--sw-text)' : 'var(--sw-muted)'}
                fontWeight={month === shown ? 700 : undefined}
              >
                {monthWord(month).slice(0, SHORT)}
              </text>
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={BASE} y2={BASE} stroke="var(--sw-line-strong)" />
      </svg>
      <Fold line={texts.amounts}>
        <Facts
          sums
          facts={[
            ...months.map(({ month, totalCents, draft }) => ({
              term: monthName(month),
              value: draft ? texts.inDraft(texts.euros(totalCents)) : texts.euros(totalCents),
            })),
            { term: texts.total, value: texts.euros(total), total: true },
          ]}
        />
      </Fold>
    </>
  )
}
