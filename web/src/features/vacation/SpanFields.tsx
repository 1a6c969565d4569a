/** First and last day with their halves, and their costs for the person, while they are chosen. */
import { closedOf, restsOf, usePreview, Warnings } from '../../entities/absences/preview'
import type { Form } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { Checkbox } from '../../ui/fields'
import { Facts } from '../../ui/layout'
import type { Leave } from './rows'
import { texts } from './texts'

export interface SpanValues extends Record<string, unknown> {
  startDate: string
  endDate: string
  startHalf: boolean
  endHalf: boolean
}

export const SPAN_RULES = {
  startDate: (day: string) => day === '' && texts.chooseStart,
  endDate: (day: string, { startDate }: { startDate: string }) =>
    day === '' ? texts.chooseEnd : day < startDate && texts.endBeforeStart,
}

// biome-ignore lint/suspicious/noExplicitAny: a form of more than these values
type AnyForm = Form<any>

export function SpanFields({ form, halves = true }: { form: AnyForm; halves?: boolean }) {
  const { startDate, endDate } = form.values as SpanValues
  return (
    <>
      <DayInput
        {...form.field('startDate')}
        label={texts.firstDay}
        onChange={day => {
          form.set('startDate', day)
          if (day !== '' && (endDate === '' || day > endDate)) form.set('endDate', day)
        }}
      />
      <DayInput {...form.field('endDate')} label={texts.lastDay} min={startDate || undefined} />
      {halves && (
        <>
          <Checkbox {...form.tick('startHalf')} label={texts.startHalf} />
          <Checkbox {...form.tick('endHalf')} label={texts.endHalf} />
        </>
      )}
    </>
  )
}

interface ComesToProps {
  userId: string
  username: string
  kind: Leave['kind']
  span: SpanValues
  insteadOf?: string
}

export function ComesTo({ userId, username, kind, span, insteadOf }: ComesToProps) {
  const { startDate, endDate, startHalf, endHalf } = span
  const isChosen = userId !== '' && startDate !== '' && endDate >= startDate
  const days = isChosen ? { kind, startDate, endDate, startHalf, endHalf } : null
  const { data } = usePreview(userId, days, insteadOf)
  if (data === undefined || !isChosen) return null
  return (
    <>
      {kind === 'vacation' && (
        <Facts
          facts={[{ term: texts.costs, value: texts.daysOf(data.days) }, ...closedOf(data), ...restsOf(data)]}
        />
      )}
      <Warnings seen={data} name={username} />
    </>
  )
}
