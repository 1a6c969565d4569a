/** "Prüfliste": entries that an administrator should check, by kind, with their day; and waiting stamps. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { shownFlag } from '../../../entities/entries/flags'
import { DecideList } from '../../../patterns/decide/DecideList'
import { Older } from '../../../patterns/Older'
import { Page } from '../../../patterns/Page'
import { QueryView } from '../../../patterns/QueryView'
import { byAlphabet } from '../../../ui/alphabet'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { addDays, currentDay, shortDay } from '../../../ui/days'
import { numericDay } from '../../../ui/dayText'
import { CardList, Section } from '../../../ui/layout'
import { EmptyState, SkeletonRows } from '../../../ui/states'
import type { PageProps } from '../../feature'
import { Day } from './Day'
import { HeldStamps } from './Held'
import classes from './Review.module.css'
import { texts } from './texts'
import { keep, type Reviewed, useReview, useSettled } from './useReview'

export function ReviewPage({ session: { companyId, role } }: PageProps) {
  const review = useReview(companyId)
  const readOnly = role !== 'companyAdmin'
  const { settled, settle, outcomeOf } = useSettled(review)
  const queries = useQueryClient()
  const [wanted, want] = useState<string | null>(null)
  const [again, lookAgain] = useState<Reviewed | null>(null)
  const lineOf = (row: Reviewed) => (
    <Day
      key={row.entryId}
      companyId={companyId}
      row={row}
      readOnly={readOnly}
      onSettled={outcome => settle(row.entryId, outcome)}
    />
  )
  return (
    <Page title={texts.title} lead={readOnly ? texts.readOnly : texts.lead} offline={texts.offline}>
      {!readOnly && <HeldStamps companyId={companyId} />}
      <QueryView query={review.rows} failed={texts.failed} skeleton={<SkeletonRows rows={5} />}>
        {rows => {
          const kinds = kindsOf(rows)
          const kind = kinds.some(([flag]) => flag === wanted) ? wanted : null
          return (
            <>
              {kinds.length > 1 && (
                <Kinds
                  kinds={kinds}
                  all={rows.length}
                  more={review.list.hasNextPage}
                  chosen={kind}
                  onChoose={want}
                />
              )}
              <DecideList
                label={texts.list}
                items={rows
                  .filter(({ flags }) => kind === null || flags.some(flag => flag === kind))
                  .sort(byDay)}
                keyOf={({ entryId }) => entryId}
                nameOf={nameOf}
                row={row => <Line row={row} />}
                detail={lineOf}
                actions={() =>
                  readOnly
                    ? []
                    : [
                        {
                          key: 'a',
                          label: texts.keep,
                          tone: 'primary',
                          act: async ({ entryId, flags }, comment) => {
                            const remainingFlags = await keep(queries, companyId, entryId, { flags, comment })
                            if (remainingFlags.length === 0) settle(entryId, 'kept')
                          },
                        },
                      ]
                }
                failed={texts.keepFailed}
                empty={<EmptyState sentence={texts.empty} />}
              />
              <Older list={review.list} texts={texts} />
            </>
          )
        }}
      </QueryView>
      {settled.length > 0 && (
        <Section title={texts.settled} count={settled.length}>
          <CardList look="joined" items={settled} keyOf={({ entryId }) => entryId}>
            {row => (
              <div className={classes.settled}>
                <Line row={row} />
                <span>{texts.outcomes[outcomeOf(row.entryId)]}</span>
                <Button look="plain" aria-label={texts.againOf(nameOf(row))} onClick={() => lookAgain(row)}>
                  {texts.again}
                </Button>
              </div>
            )}
          </CardList>
        </Section>
      )}
      {again !== null && (
        <Dialog title={nameOf(again)} size={640} sheet onClose={() => lookAgain(null)}>
          {lineOf(again)}
        </Dialog>
      )}
    </Page>
  )
}

const nameOf = ({ username, date }: Reviewed) => texts.nameOf(username, numericDay(date))

/** The newest day first, and by name within a day. */
const byDay = (a: Reviewed, b: Reviewed) => b.date.localeCompare(a.date) || byAlphabet(a.username, b.username)

/** How often each flag occurs, the most frequent first. */
function kindsOf(rows: readonly Reviewed[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const flag of rows.flatMap(({ flags }) => flags)) counts.set(flag, (counts.get(flag) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

interface KindsProps {
  kinds: readonly [string, number][]
  all: number
  /** Whether there are older entries, which are not counted. */
  more: boolean
  chosen: string | null
  onChoose: (kind: string | null) => void
}

function Kinds({ kinds, all, more, chosen, onChoose }: KindsProps) {
  const countText = (count: number) => (more ? `${count}+` : `${count}`)
  const chips = [
    { kind: null, label: texts.all(countText(all)) },
    ...kinds.map(([kind, count]) => ({ kind, label: texts.kind(shownFlag(kind).label, countText(count)) })),
  ]
  return (
    <fieldset className={classes.kinds}>
      <legend className="visually-hidden">{texts.kinds}</legend>
      {chips.map(({ kind, label }) => (
        <button
          key={kind ?? ''}
          type="button"
          className={classes.kind}
          aria-pressed={kind === chosen}
          onClick={() => onChoose(kind)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}

/**
 * An incomplete day has to be recorded by the seventh day after it (§ 17 MiLoG): the warning comes two days earlier.
 */
const OVERDUE_DAYS = 5
const isOverdue = ({ date, flags }: Reviewed) =>
  flags.some(flag => flag === 'missing_in' || flag === 'missing_out') &&
  addDays(date, OVERDUE_DAYS) < currentDay()

function Line({ row }: { row: Reviewed }) {
  const { weekday, date } = shortDay(row.date)
  return (
    <span className={classes.row}>
      <span className={classes.who}>
        <strong>{row.username}</strong>
        <time dateTime={row.date} className="muted">
          {weekday} {date}
        </time>
      </span>
      <span className={classes.flags}>
        {isOverdue(row) && <Badge tone="warn">{texts.overdue}</Badge>}
        {row.flags.map(shownFlag).map(({ flag, label, tone, icon: Icon }) => (
          <Badge key={flag} tone={tone} icon={<Icon />}>
            {label}
          </Badge>
        ))}
      </span>
    </span>
  )
}
