/** Fields for a time, and for a moment of a day. Apart from the day's, which many pages have without them. */
import './fields'
import { TimePicker } from '@mantine/dates'
import { type ReactNode, useId, useState } from 'react'
import { DayInput } from './dates'
import classes from './dates.module.css'
import dress from './dress.module.css'
import { texts } from './fieldTexts'
import { Clock } from './icons'

interface TimeInputProps {
  label: string
  description?: ReactNode
  error?: ReactNode
  /** `HH:MM`; empty without a time. */
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
  // Mantine's own reports the error only on the box around the two fields, which cannot take the focus.
  const wrong = complaint ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}
  // Half a time blocks submitting: it would be sent as no time (`patterns/useForm.ts`).
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

export const isWholeMoment = (moment: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(moment)

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
