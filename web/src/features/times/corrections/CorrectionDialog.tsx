/** Asks for other times of a day: what stood before beside what shall be, and how long that is. */
import { useEffect, useState } from 'react'
import { useReachable } from '../../../api/connectivity'
import { Form } from '../../../patterns/Form'
import { FormDialog } from '../../../patterns/FormDialog'
import type { Sent } from '../../../patterns/sending'
import { texts as patternTexts } from '../../../patterns/texts'
import { useForm } from '../../../patterns/useForm'
import { Button } from '../../../ui/Button'
import { DialogButtons } from '../../../ui/Dialog'
import { DayInput, TimeInput } from '../../../ui/dates'
import { dayOf } from '../../../ui/days'
import { Textarea } from '../../../ui/fields'
import { Notice } from '../../../ui/Notice'
import { texts as uiTexts } from '../../../ui/texts'
import { Duration, Span } from '../entryParts'
import { useMonth } from '../useMonth'
import { boundsOf, type Meant } from './bounds'
import classes from './CorrectionDialog.module.css'
import type { Draft } from './draft'
import { texts } from './texts'
import { type CorrectionWish, useAsk } from './useCorrections'

/** For so long it is said that the request is on its way. */
const CLOSES_AFTER_MS = 1_200
const REASON_LIMIT = 2_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

interface CorrectionDialogProps {
  userId: string
  draft: Draft
  /** Days for which a request is open. */
  open: ReadonlySet<string>
  onClose: () => void
}

/** By the names of the service, which says what is wrong with one of them. */
type Values = Record<'date' | 'newStart' | 'newEnd' | 'reason', string>

export function CorrectionDialog({ userId, draft, open, onClose }: CorrectionDialogProps) {
  const [done, setDone] = useState<'sent' | 'queued' | null>(null)
  const form = useForm<Values, CorrectionWish, Sent<unknown>>({
    initial: { date: draft.date, newStart: draft.start, newEnd: draft.end, reason: draft.reason },
    rules: {
      date: date => {
        if (date === '') return texts.chooseDay
        if (!DAY.test(date)) return texts.malformed
        return open.has(date) && texts.alreadyOpen
      },
      newStart: (start, { newEnd }) => start === '' && newEnd === '' && texts.chooseTime,
    },
    incomplete: ({ date, newStart, newEnd }) =>
      (date === '' || (newStart === '' && newEnd === '')) && texts.incomplete,
    acting: useAsk(),
    input: ({ date, newStart, newEnd, reason }) => ({
      date,
      newStart: newStart || null,
      newEnd: newEnd || null,
      reason: reason.trim() || null,
      entryId: date === draft.date ? draft.entryId : null,
    }),
    onDone: sent => setDone(sent?.state ?? null),
  })
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(onClose, CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [done, onClose])
  const { date, newStart, newEnd } = form.values
  return (
    <FormDialog
      title={texts.title}
      form={done === null ? form : { dirty: false, busy: false }}
      onClose={onClose}
    >
      {close =>
        done !== null ? (
          <Notice live="polite">
            <p>{done === 'sent' ? texts.done : patternTexts.queued}</p>
          </Notice>
        ) : (
          <Form
            form={form}
            mayWait
            buttons={
              <DialogButtons>
                <Button onClick={close}>{uiTexts.cancel}</Button>
                <Button type="submit" look="primary" busy={form.busy}>
                  {texts.send}
                </Button>
              </DialogButtons>
            }
          >
            <p className={classes.lead}>{texts.lead}</p>
            <DayInput {...form.field('date')} label={texts.day} max={dayOf(new Date())} required />
            <div className={classes.times}>
              <TimeInput {...form.field('newStart')} label={texts.start} />
              <TimeInput {...form.field('newEnd')} label={texts.end} />
            </div>
            <p className={classes.hint}>{texts.endHint}</p>
            <Comparison userId={userId} day={date} start={newStart} end={newEnd} />
            <Textarea
              {...form.field('reason')}
              label={texts.reason}
              placeholder={texts.reasonExample}
              maxLength={REASON_LIMIT}
            />
          </Form>
        )
      }
    </FormDialog>
  )
}

interface ComparisonProps {
  userId: string
  day: string
  start: string
  end: string
}

/** What stands there now, and what is asked for. */
function Comparison({ userId, day, start, end }: ComparisonProps) {
  if (!DAY.test(day)) return null
  return (
    <dl className={classes.comparison} aria-live="polite">
      <div>
        <dt>{texts.before}</dt>
        <dd>
          <Before userId={userId} day={day} />
        </dd>
      </div>
      <div>
        <dt>{texts.after}</dt>
        <dd>
          <span className={classes.span}>
            {start || texts.missing}
            {' – '}
            {end || texts.missing}
          </span>
          <Meaning meant={boundsOf(day, start, end)} />
        </dd>
      </div>
    </dl>
  )
}

/** The day may be of another month than the page shows. */
function Before({ userId, day }: { userId: string; day: string }) {
  const { data, error } = useMonth(userId, day.slice(0, 7))
  const reachable = useReachable()
  if (data === undefined) return reachable && error === null ? uiTexts.loading : texts.unknown
  const entries = data.filter(({ date }) => date === day)
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
