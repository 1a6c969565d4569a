/** The effects of leave and its conflicts, as an administrator needs them for a decision. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'
import { Notice } from '../../ui/Notice'
import { spansOfDays, writtenSpans } from '../../ui/writtenDays'
import { texts } from './texts'

type Rows = components['schemas']
export type Preview = Rows['PreviewRow']
type Span = Pick<Rows['RequestRow'], 'kind' | 'startDate' | 'endDate' | 'startHalf' | 'endHalf'>

export const PREVIEW = '/api/vacation-requests/preview'

/** Previews a person's leave; `insteadOf`: the existing leave that it describes or replaces. */
export function usePreview(userId: string, span: Span | null, insteadOf?: string) {
  const insteadOfQuery = insteadOf === undefined ? {} : { insteadOf }
  const { kind, startDate, endDate, startHalf, endHalf } = span ?? ({} as Partial<Span>)
  const query = { kind, startDate, endDate, startHalf, endHalf, userId, ...insteadOfQuery } as Span & {
    userId: string
  }
  return useGet(PREVIEW, span === null ? null : { query: query }, { live: ['plan_update'] })
}

const isOver = ({ remainingAfter, days }: Preview) => days > 0 && remainingAfter < 0

/** The company holidays in it, which cost no days. */
export function closedOf(seen: Preview) {
  const days = writtenSpans(seen.leftOut)
  return days === null ? [] : [{ term: texts.closed, value: texts.closedDays(days) }]
}

export const restsOf = ({ years }: Preview) =>
  years.map(({ year, remaining }) => ({ term: texts.restAfter(year), value: texts.daysOf(remaining) }))

/** Its conflicts, a sentence each. */
export function Warnings({ seen, name }: { seen: Preview; name: string }) {
  const sentences = [
    isOver(seen) && texts.over(-seen.remainingAfter),
    seen.overlaps && texts.overlaps,
    seen.warnings.length > 0 && texts.onDuty(name, spansOfDays(seen.warnings.map(({ date }) => date))),
  ].filter(sentence => sentence !== false)
  if (sentences.length === 0) return null
  return (
    <Notice>
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  )
}
