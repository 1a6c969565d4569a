/** Fields for a day, and for a moment of a day, in German whatever the browser speaks: typed, or chosen in a calendar. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import './fields'
import { DateInput, type DateInputProps, TimePicker } from '@mantine/dates'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useInDialog } from './Dialog'
import classes from './dates.module.css'
import { dayOf } from './days'
import { dayFrom } from './dayText'
import dress from './dress.module.css'
import { Calendar, ChevronLeft, ChevronRight, Clock } from './icons'
import { texts } from './texts'
import { CALENDAR_OPENS } from './theme'

/** The month and the year between them are called what stands on them. */
const LABELS = {
  previousMonth: texts.previousMonth,
  nextMonth: texts.nextMonth,
  previousYear: texts.previousYear,
  nextYear: texts.nextYear,
  previousDecade: texts.previousDecade,
  nextDecade: texts.nextDecade,
}

interface DayInputProps extends Omit<DateInputProps, 'value' | 'onChange' | 'minDate' | 'maxDate'> {
  /** `YYYY-MM-DD`; empty where none is chosen. */
  value: string
  onChange: (day: string) => void
  min?: string | undefined
  max?: string | undefined
}

export function DayInput({ value, onChange, min, max, error, ...rest }: DayInputProps) {
  const withinPortal = useInDialog()
  const { day, take, typing, settle, text, impossible } = useTyped(value, onChange)
  const [open, setOpen] = useState(false)
  // Not by the focus alone: where a form leads it to what is wrong, the calendar would lie over the sentence.
  const [wanted, want] = useState(false)
  return (
    <DateInput
      value={day === '' ? null : day}
      onChange={next => take(next ?? '')}
      onInput={event => {
        want(true)
        typing(event)
      }}
      onClick={() => want(true)}
      onBlur={() => {
        want(false)
        settle()
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') settle()
        if (event.key === 'ArrowDown') want(true)
      }}
      dateParser={dayTyped}
      // What is no day stays to be mended; a day is written out.
      fixOnBlur={isDay(text)}
      error={(impossible && texts.noSuchDay) || error}
      // A form is not sent with it (`patterns/useForm.ts`).
      data-impossible={impossible || undefined}
      valueFormat="DD.MM.YYYY"
      placeholder={texts.dayPattern}
      locale="de"
      firstDayOfWeek={1}
      minDate={min}
      maxDate={max}
      clearable
      clearButtonProps={{ 'aria-label': texts.clearDay, className: classes.clear ?? '' }}
      leftSection={<Calendar size={18} />}
      leftSectionPointerEvents="none"
      previousIcon={<ChevronLeft />}
      nextIcon={<ChevronRight />}
      ariaLabels={LABELS}
      popoverProps={{
        withinPortal,
        disabled: !wanted || rest.disabled || rest.readOnly,
        transitionProps: CALENDAR_OPENS,
        onOpen: () => setOpen(true),
        onClose: () => setOpen(false),
        classNames: { dropdown: `${dress.dropdown} ${dress.calendar}` },
      }}
      // While the calendar is open, Escape closes that, and not the dialog around it.
      data-mantine-stop-propagation={(open && wanted) || undefined}
      autoComplete="off"
      inputMode="numeric"
      {...rest}
    />
  )
}

const dayTyped = (text: string) => dayFrom(text, dayOf(new Date()))

const isDay = (text: string) => text.trim() === '' || dayTyped(text) !== null

/** On the way to 01.11.2026 there is a 01.11.20: what is typed is told once somebody is through with it. */
function useTyped(value: string, onChange: (day: string) => void) {
  const [draft, setDraft] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [impossible, setImpossible] = useState(false)
  const byKey = useRef(false)
  const take = (day: string) => {
    const typed = byKey.current
    byKey.current = false
    if (!typed) setText('')
    setImpossible(false)
    setDraft(typed ? day : null)
    if (!typed) onChange(day)
  }
  const settle = () => {
    const whole = isDay(text)
    // On the way to 31.11. there is a 31.1.
    if (whole && draft !== null && draft !== value) onChange(draft)
    if (whole) setDraft(null)
    setImpossible(!whole)
  }
  const typing = (event: FormEvent<HTMLInputElement>) => {
    byKey.current = true
    setText(event.currentTarget.value)
    setImpossible(false)
  }
  return { day: draft ?? value, take, typing, settle, text, impossible }
}

interface TimeInputProps {
  label: string
  description?: ReactNode
  error?: ReactNode
  /** `HH:MM`; empty where none is told. */
  value: string
  onChange: (time: string) => void
  disabled?: boolean
  name?: string
  /** Whether it is where a dialog begins. */
  'data-autofocus'?: boolean
}

/** A local time. */
export function TimeInput({
  value,
  onChange,
  label,
  error,
  'data-autofocus': first,
  ...rest
}: TimeInputProps) {
  const id = useId()
  const [lacks, setLacks] = useState<'hours' | 'minutes' | null>(null)
  const settle = (box: HTMLElement) => {
    const [hours, minutes] = [...box.querySelectorAll('input')].map(field => field.value === '')
    setLacks(hours === minutes ? null : hours ? 'hours' : 'minutes')
  }
  const complaint = lacks === null ? error : texts.halfTime
  // Mantine's own says it only of the box around the two fields, where the focus cannot go.
  const wrong = complaint ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}
  // A form is not sent with half a time, which would be none (`patterns/useForm.ts`).
  const saysOf = (part: typeof lacks) => ({ ...wrong, 'data-impossible': lacks === part || undefined })
  return (
    <TimePicker
      label={label}
      value={value}
      onChange={next => onChange(next.slice(0, 5))}
      hoursInputLabel={`${label}: ${texts.hours}`}
      minutesInputLabel={`${label}: ${texts.minutes}`}
      onInput={() => setLacks(null)}
      onBlur={event => settle(event.currentTarget)}
      onKeyDown={event => {
        if (event.key === 'Enter') settle(event.currentTarget)
      }}
      hoursInputProps={{ ...saysOf('hours'), 'data-autofocus': first }}
      minutesInputProps={saysOf('minutes')}
      error={complaint}
      errorProps={{ id: `${id}-error` }}
      leftSection={<Clock size={18} />}
      {...rest}
    />
  )
}

interface MomentInputProps {
  label: string
  description?: string
  error?: ReactNode
  /** `YYYY-MM-DDTHH:MM`; without a day or without a time it is not whole. */
  value: string
  onChange: (moment: string) => void
  max?: string | undefined
  disabled?: boolean
}

/** A day and its time; empty only where both are. */
export function MomentInput({
  label,
  description,
  error,
  value,
  onChange,
  max,
  disabled = false,
}: MomentInputProps) {
  const id = useId()
  const [day = '', time = ''] = value.split('T')
  const join = (nextDay: string, nextTime: string) =>
    onChange(nextDay === '' && nextTime === '' ? '' : `${nextDay}T${nextTime}`)
  const wrong = Boolean(error)
  return (
    <fieldset
      className={classes.moment}
      aria-describedby={`${id}-hint${wrong ? ` ${id}-error` : ''}`}
      disabled={disabled}
    >
      <legend className={dress.label}>{label}</legend>
      <div className={classes.pair}>
        <DayInput
          aria-label={texts.dayOf(label)}
          value={day}
          onChange={next => join(next, time)}
          max={max?.slice(0, 10)}
          error={wrong}
          disabled={disabled}
        />
        <TimePicker
          aria-label={texts.timeOf(label)}
          value={time}
          onChange={next => join(day, next.slice(0, 5))}
          hoursInputLabel={texts.hours}
          minutesInputLabel={texts.minutes}
          leftSection={<Clock size={18} />}
          error={wrong}
          disabled={disabled}
        />
      </div>
      {description !== undefined && (
        <p id={`${id}-hint`} className={dress.description}>
          {description}
        </p>
      )}
      {wrong && (
        <p id={`${id}-error`} className={dress.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
