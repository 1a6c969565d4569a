/** A day's dialog: its people, removing one, and assigning one or several, with optional times. */
import { useEffect, useState } from 'react'
import { FormDialog } from '../../patterns/FormDialog'
import { useForm } from '../../patterns/useForm'
import { byAlphabet } from '../../ui/alphabet'
import { Button } from '../../ui/Button'
import { longDay } from '../../ui/days'
import { Checkbox } from '../../ui/fields'
import { Trash } from '../../ui/icons'
import { Buttons, CardList } from '../../ui/layout'
import { ErrorNotice, Notice } from '../../ui/Notice'
import { TimeInput } from '../../ui/times'
import { People, type Person } from './People'
import { type Cell, type Duty, leaveOf, timesOf } from './plan'
import classes from './roster.module.css'
import { texts } from './texts'
import { type Roster, useStep } from './useRoster'

/** How long the page reports success. */
const SAID_MS = 700

interface DayDialogProps {
  roster: Roster
  day: string
  /** Opens the dialog for a duty's times. */
  onDuty: (at: Cell) => void
  onClose: () => void
}

export function DayDialog({ roster, day, onDuty, onClose }: DayDialogProps) {
  const [said, say] = useSaid()
  const nameOf = ({ userId, username }: Duty) =>
    roster.employees?.find(({ id }) => id === userId)?.username ?? username
  // Includes former employees: their duties are still in the calendar.
  const duties = [...roster.plan.values()]
    .flatMap(days => days.get(day) ?? [])
    .sort((a, b) => byAlphabet(nameOf(a), nameOf(b)))
  const markOf = (userId: string) => roster.marks.get(userId)?.get(day)
  const free = (roster.employees ?? []).filter(
    ({ id }) => !roster.plan.get(id)?.has(day) && leaveOf(markOf(id)) !== 'all',
  )
  const hasHalfDays = free.some(({ id }) => leaveOf(markOf(id)) === 'part')
  const labelOf = ({ id, username }: Person) => {
    const mark = markOf(id)
    if (mark === undefined || mark.half === null || leaveOf(mark) === 'none') return username
    return `${username}, ${texts.marks[mark.kind]} ${texts.halves[mark.half]}`
  }
  const assigning = useStep(roster, texts.assignFailed)
  const removing = useStep(roster, texts.removeFailed)
  const form = useForm({
    initial: { people: [] as string[], start: '', end: '' },
    rules: {
      people: chosen => chosen.length === 0 && texts.pleaseChoose,
      start: (start, { end }) => start === '' && end !== '' && texts.startMissing,
    },
    acting: assigning,
    input: ({ people, start, end }) => ({
      changes: people.map(userId => ({
        userId,
        date: day,
        before: null,
        after: { start: start || null, end: end || null },
      })),
    }),
    onDone: (_, { people }) => {
      say(texts.done(people.length))
      form.restart()
    },
  })
  const remove = async (duty: Duty) => {
    const cell = { userId: duty.userId, date: day }
    if (await removing.run({ changes: [{ ...cell, before: timesOf(duty), after: null }] })) say(texts.removed)
  }
  const { value: chosen, onChange, error } = form.field('people')
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter(each => each !== id) : [...chosen, id])
  const warnings = roster.warnings.data?.filter(({ date }) => date === day) ?? []
  return (
    <FormDialog
      title={longDay(day)}
      form={form}
      submit={{ label: texts.assign, disabled: free.length === 0 }}
      size={640}
      onClose={onClose}
    >
      {duties.length === 0 ? (
        <p className="muted">{texts.nobodyOnDuty}</p>
      ) : (
        <div className={classes.assigned}>
          <CardList label={texts.assigned} items={duties} keyOf={({ userId }) => userId} look="joined">
            {duty => (
              <div className={classes.line}>
                <span>
                  <strong>{nameOf(duty)}</strong> {texts.times(duty)}
                  {warnings
                    .filter(({ userId }) => userId === duty.userId)
                    .map(({ code }) => (
                      <span key={code} className={classes.hint}>
                        {texts.codes[code]}
                      </span>
                    ))}
                </span>
                <Buttons>
                  <Button
                    aria-label={texts.timesOf(nameOf(duty))}
                    onClick={() => onDuty({ userId: duty.userId, date: day })}
                  >
                    {texts.changeTimes}
                  </Button>
                  <Button
                    icon={<Trash size={18} />}
                    aria-label={texts.removeOf(nameOf(duty))}
                    busy={removing.busy}
                    onClick={() => remove(duty)}
                  >
                    {texts.remove}
                  </Button>
                </Buttons>
              </div>
            )}
          </CardList>
        </div>
      )}
      <ErrorNotice failure={removing.failure} />
      <div role="status">{said !== null && <Notice tone="done">{said}</Notice>}</div>
      {free.length === 0 ? (
        <p className="muted">{texts.nobodyLeft}</p>
      ) : (
        <fieldset className={classes.choice}>
          <legend>
            {texts.choose}
            {chosen.length > 0 && <span className="muted">{texts.chosen(chosen.length)}</span>}
          </legend>
          <People people={free} kept={chosen}>
            {shown => (
              <div className={classes.names}>
                {shown.map(person => (
                  <Checkbox
                    key={person.id}
                    name="people"
                    label={labelOf(person)}
                    checked={chosen.includes(person.id)}
                    aria-invalid={error !== undefined}
                    onChange={() => toggle(person.id)}
                  />
                ))}
              </div>
            )}
          </People>
          {error !== undefined && <Notice tone="error" live="assertive" title={error} />}
        </fieldset>
      )}
      <div className={classes.times}>
        <TimeInput label={texts.start} {...form.field('start')} />
        <TimeInput label={texts.end} {...form.field('end')} />
      </div>
      <p className="muted">
        {texts.timesHint} {hasHalfDays && texts.halfDayHint}
      </p>
    </FormDialog>
  )
}

/** A message that disappears after a while. */
function useSaid(): [string | null, (sentence: string) => void] {
  const [said, setSaid] = useState<{ sentence: string } | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  return [said?.sentence ?? null, sentence => setSaid({ sentence })]
}
