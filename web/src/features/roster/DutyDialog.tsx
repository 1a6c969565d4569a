/** Changes the times of an existing duty. */
import { FormDialog } from '../../patterns/FormDialog'
import { useForm } from '../../patterns/useForm'
import { longDay } from '../../ui/days'
import { TimeInput } from '../../ui/times'
import { type Cell, type Duty, sameTimes, timesOf } from './plan'
import classes from './roster.module.css'
import { texts } from './texts'
import { type Roster, useStep } from './useRoster'

interface DutyDialogProps {
  roster: Roster
  at: Cell
  onClose: () => void
}

export function DutyDialog({ roster, at, onClose }: DutyDialogProps) {
  const duty = roster.plan.get(at.userId)?.get(at.date)
  return duty === undefined ? null : <Times roster={roster} duty={duty} onClose={onClose} />
}

function Times({ roster, duty, onClose }: { roster: Roster; duty: Duty; onClose: () => void }) {
  const { userId, date } = duty
  const name = roster.employees?.find(({ id }) => id === userId)?.username ?? duty.username
  const timesBefore = timesOf(duty)
  const form = useForm({
    initial: { start: duty.start ?? '', end: duty.end ?? '' },
    rules: { start: (start, { end }) => start === '' && end !== '' && texts.startMissing },
    acting: useStep(roster, texts.timesFailed),
    input: ({ start, end }) => {
      const timesAfter = { start: start || null, end: end || null }
      return {
        changes: sameTimes(timesBefore, timesAfter)
          ? []
          : [{ userId, date, before: timesBefore, after: timesAfter }],
      }
    },
    onDone: onClose,
  })
  return (
    <FormDialog title={texts.timesOf(name)} form={form} submit={texts.saveTimes} onClose={onClose}>
      <p className="muted">{longDay(date)}</p>
      <div className={classes.times}>
        <TimeInput label={texts.start} {...form.field('start')} data-autofocus />
        <TimeInput label={texts.end} {...form.field('end')} />
      </div>
      <p className="muted">{texts.timesHint}</p>
    </FormDialog>
  )
}
