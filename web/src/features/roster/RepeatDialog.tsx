/** Repeats the duties of a week or of other days: of all people or one person. */
import { Refused } from '../../api/failures'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useAct } from '../../patterns/useAct'
import { filled, useForm } from '../../patterns/useForm'
import { DayInput } from '../../ui/dates'
import { addDays, daysFrom } from '../../ui/days'
import { Select } from '../../ui/Select'
import { repeated } from './plan'
import classes from './roster.module.css'
import { texts } from './texts'
import { dutiesOf, type Roster } from './useRoster'

const EVERYBODY = 'all'
const MOST_DAYS = 400

interface RepeatDialogProps {
  roster: Roster
  /** The initial week. */
  monday: string
  onClose: () => void
}

export function RepeatDialog({ roster, monday, onClose }: RepeatDialogProps) {
  const acting = useAct(
    async ({ whose, from, to, until }: Record<'whose' | 'from' | 'to' | 'until', string>) => {
      const rows = await dutiesOf(roster.companyId, { from, to: until })
      const employees = new Set(roster.employees?.map(({ id }) => id))
      const step = repeated(
        rows.filter(({ userId }) => employees.has(userId)),
        { userId: whose === EVERYBODY ? null : whose, from, to, until },
      )
      if (step.changes.length === 0) throw new Refused(422, { message: texts.nothingToRepeat })
      const refusal = await roster.change(step)
      const count = step.changes.length - (refusal?.cells.length ?? 0)
      if (refusal !== null && count === 0) throw new Refused(409, { message: refusal.sentence })
      return { count }
    },
    texts.changeFailed,
  )
  const form = useForm({
    initial: { whose: EVERYBODY, from: monday, to: addDays(monday, 6), until: addDays(monday, 13) },
    rules: {
      from: filled(texts.fillIn),
      to: (to, { from }) => filled(texts.fillIn)(to) || (to < from && texts.reversed),
      until: (until, { from, to }) =>
        filled(texts.fillIn)(until) ||
        (until <= to && texts.tooEarly) ||
        (daysFrom(from, until) >= MOST_DAYS && texts.tooLong),
    },
    acting,
    input: values => values,
    guarded: false,
    onDone: done => {
      succeed(texts.repeating(done?.count ?? 0))
      onClose()
    },
  })
  const people = roster.employees?.map(({ id, username }) => ({ value: id, label: username })) ?? []
  return (
    <FormDialog title={texts.repeatTitle} form={form} submit={texts.repeatDo} onClose={onClose}>
      <p className="muted">{texts.repeatLead}</p>
      <Select
        {...form.field('whose')}
        label={texts.whose}
        searchable
        data={[{ value: EVERYBODY, label: texts.everybody }, ...people]}
      />
      <div className={classes.times}>
        <DayInput label={texts.patternFrom} {...form.field('from')} />
        <DayInput label={texts.patternTo} {...form.field('to')} />
      </div>
      <DayInput label={texts.until} {...form.field('until')} />
    </FormDialog>
  )
}
