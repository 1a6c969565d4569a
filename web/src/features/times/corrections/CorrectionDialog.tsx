/** Requests other times for a day: the previous times, the new times, and their duration. */
import { useEffect, useRef, useState } from 'react'
import { useReachable } from '../../../api/connectivity'
import { FormDialog } from '../../../patterns/FormDialog'
import type { Sent } from '../../../patterns/sending'
import { texts as patternTexts } from '../../../patterns/texts'
import { type Form as FormOf, useForm } from '../../../patterns/useForm'
import { DayInput } from '../../../ui/dates'
import { addDays, currentDay } from '../../../ui/days'
import { span } from '../../../ui/durations'
import { Textarea } from '../../../ui/fields'
import { Notice } from '../../../ui/Notice'
import { texts as uiTexts } from '../../../ui/texts'
import { TimeInput } from '../../../ui/times'
import { Duration, Span } from '../entryParts'
import { inOrder, type TimeEntry } from '../sheet'
import { type Shift, shiftsOf } from '../shifts'
import { useMonth } from '../useMonth'
import { boundsOf, type Meant } from './bounds'
import classes from './CorrectionDialog.module.css'
import { concerned, leftOut, timesOf } from './concerned'
import type { Draft } from './draft'
import { texts } from './texts'
import { type CorrectionWish, useAdministers, useAsk } from './useCorrections'

/** How long the confirmation is shown. */
const CLOSES_AFTER_MS = 1_200
const REASON_LIMIT = 2_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

interface CorrectionDialogProps {
  userId: string
  draft: Draft
  /** Days with an open request. */
  open: ReadonlySet<string>
  /** For another person's times. */
  words?: { title: string; lead: string }
  /** Reports success itself, instead of the dialog. */
  onSent?: () => void
  onClose: () => void
}

/** The service's names, so that its errors reach their fields. */
type Values = Record<'date' | 'newStart' | 'newEnd' | 'reason', string>

export function CorrectionDialog({ userId, draft, open, onClose, ...about }: CorrectionDialogProps) {
  const administers = useAdministers()
  const words = { ...(administers ? texts.deciding : texts.asking), ...about.words }
  const [done, setDone] = useState<'sent' | 'queued' | null>(null)
  const shiftsThen = useShifts(userId, draft.date)
  const [began] = useState(() => beginningOf(draft, shiftsThen))
  const [day, setDay] = useState(began.date)
  const shifts = useShifts(userId, day)
  const sameDayEntryId = day === began.date ? draft.entryId : null
  const form = useForm<Values, CorrectionWish, Sent<unknown>>({
    initial: { date: began.date, newStart: began.start, newEnd: began.end, reason: draft.reason },
    rules: {
      date: date => {
        if (date === '') return texts.incomplete
        if (!DAY.test(date)) return texts.malformed
        return open.has(date) && texts.alreadyOpen
      },
      // One sentence for both, at the first missing one.
      newStart: (start, { newEnd, date }) =>
        start === '' && (administers ? texts.startMissing : date !== '' && newEnd === '' && texts.incomplete),
      // A correction that takes effect at once must be complete.
      newEnd: end => administers && end === '' && texts.endMissing,
    },
    acting: useAsk(words.failed),
    input: ({ date, newStart, newEnd, reason }) => ({
      date,
      newStart: newStart || null,
      newEnd: newEnd || null,
      reason: reason.trim() || null,
      ...(administers && { userId }),
      entryId: sameDayEntryId ?? concernedOf(shifts, date, null)?.entries[0]?.id ?? null,
    }),
    onDone: sent => {
      if (about.onSent !== undefined && sent?.state === 'sent') {
        onClose()
        return about.onSent()
      }
      setDone(sent?.state ?? null)
    },
  })
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(onClose, CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [done, onClose])
  const { date, newStart, newEnd } = form.values
  if (date !== day && DAY.test(date)) setDay(date)
  const shift = concernedOf(shifts, day, sameDayEntryId)
  useFilledIn(form, began, draft.typed || shift === null ? null : timesOf(shift))
  return (
    <FormDialog
      title={words.title}
      form={form}
      submit={words.send}
      mayWait={about.words === undefined}
      answer={
        done === null
          ? undefined
          : {
              title: words.title,
              stays: false,
              content: (
                <Notice tone="done" live="polite">
                  <p>{done === 'sent' ? words.done : patternTexts.queued}</p>
                </Notice>
              ),
            }
      }
      onClose={onClose}
    >
      <p className={classes.lead}>{words.lead}</p>
      <DayInput
        {...form.field('date')}
        label={texts.day}
        max={currentDay()}
        noSuchDay={texts.malformed}
        required
      />
      <div className={classes.times}>
        <TimeInput {...form.field('newStart')} label={texts.start} />
        <TimeInput {...form.field('newEnd')} label={texts.end} />
      </div>
      <p className={classes.hint}>{texts.endHint}</p>
      {DAY.test(date) && (
        <Comparison
          userId={userId}
          day={date}
          start={newStart}
          end={newEnd}
          shifts={shifts ?? []}
          entryId={sameDayEntryId}
        />
      )}
      <Textarea
        {...form.field('reason')}
        label={texts.reason}
        placeholder={texts.reasonExample}
        maxLength={REASON_LIMIT}
      />
    </FormDialog>
  )
}

/**
 * The shifts around a day; one may have begun in the previous month, or continue in the next. Undefined: not loaded.
 */
function useShifts(userId: string, day: string): Shift[] | undefined {
  const monthTimes = new Map<string, TimeEntry[] | undefined>()
  const monthOf = (days: number) => addDays(day, days).slice(0, 7)
  monthTimes.set(monthOf(-1), useMonth(userId, monthOf(-1)).data)
  monthTimes.set(monthOf(0), useMonth(userId, monthOf(0)).data)
  monthTimes.set(monthOf(1), useMonth(userId, monthOf(1)).data)
  if (monthTimes.get(monthOf(0)) === undefined) return undefined
  return shiftsOf([...monthTimes.values()].flatMap(entries => entries ?? []).sort(inOrder))
}

interface Times {
  date: string
  start: string
  end: string
}

/** The day and the times of the shift, if known; the user's own input stays. */
function beginningOf(draft: Draft, shifts: Shift[] | undefined): Times {
  const shift = draft.typed ? null : concernedOf(shifts, draft.date, draft.entryId)
  return shift === null ? draft : { date: shift.date, ...timesOf(shift) }
}

const concernedOf = (shifts: Shift[] | undefined, day: string, entryId: string | null) =>
  shifts === undefined ? null : concerned(shifts, day, entryId)

/** The times follow the day's shift until the user types others; null: they stay. */
function useFilledIn(form: FormOf<Values>, began: Times, shift: { start: string; end: string } | null) {
  const filled = useRef({ start: began.start, end: began.end })
  const { start, end } = shift ?? filled.current
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another shift is a reason
  useEffect(() => {
    const filledBefore = filled.current
    const { newStart, newEnd } = form.values
    if (start === filledBefore.start && end === filledBefore.end) return
    filled.current = { start, end }
    const times = {
      newStart: newStart === filledBefore.start ? start : newStart,
      newEnd: newEnd === filledBefore.end ? end : newEnd,
    }
    if (!form.touched) return form.restart({ ...form.values, ...times })
    form.set('newStart', times.newStart)
    form.set('newEnd', times.newEnd)
  }, [start, end])
}

interface ComparisonProps extends BeforeProps {
  start: string
  end: string
}

/** The present times, the requested times, and the time that is dropped. */
function Comparison({ userId, day, start, end, shifts, entryId }: ComparisonProps) {
  const meantBounds = boundsOf(day, start, end)
  const removedPieces = leftOut(concerned(shifts, day, entryId, meantBounds), meantBounds)
  return (
    <dl className={classes.comparison} aria-live="polite">
      <div>
        <dt>{texts.before}</dt>
        <dd>
          <TimesBefore userId={userId} day={day} shifts={shifts} entryId={entryId} />
        </dd>
      </div>
      <div>
        <dt>{texts.after}</dt>
        <dd>
          <span className={classes.span}>{span(start || texts.missing, end || texts.missing)}</span>
          <Meaning meant={meantBounds} />
        </dd>
      </div>
      {removedPieces.length > 0 && (
        <div className={classes.gone}>
          <dt>{texts.leavesOut}</dt>
          {removedPieces.map(piece => (
            <dd key={piece.start}>
              <span className={classes.span}>{span(piece.start, piece.end)}</span>
              <span className={classes.length}>
                <Duration minutes={piece.minutes} />
              </span>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}

interface BeforeProps {
  userId: string
  day: string
  shifts: Shift[]
  entryId: string | null
}

/** The affected shift, else the day's times, which may be of another month than the page's. */
function TimesBefore({ userId, day, shifts, entryId }: BeforeProps) {
  const { data, error } = useMonth(userId, day.slice(0, 7))
  const reachable = useReachable()
  if (data === undefined) return reachable && error === null ? uiTexts.loading : texts.unknown
  const entries = concerned(shifts, day, entryId)?.entries ?? data.filter(({ date }) => date === day)
  if (entries.length === 0) return texts.none
  return entries.map(entry => (
    <span key={entry.id} className={classes.span}>
      <Span entry={entry} day={day} />
    </span>
  ))
}

function Meaning({ meant }: { meant: Meant }) {
  if (meant === null) return null
  if (typeof meant === 'string') return <span className={classes.skipped}>{texts.noSuchTime}</span>
  return (
    <span className={classes.length}>
      <Duration minutes={meant.minutes} />
      {meant.nextDay && ` (${texts.end} ${texts.nextDay})`}
    </span>
  )
}
