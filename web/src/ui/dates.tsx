/** Fields for a day, and for a moment of a day, in German whatever the browser speaks: typed, or chosen in a calendar. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import './fields'
import { DateInput, type DateInputProps, TimePicker } from '@mantine/dates'
import { type ReactNode, useId } from 'react'
import { useInDialog } from './Dialog'
import classes from './dates.module.css'
import { dayOf } from './days'
import { dayFrom } from './dayText'
import dress from './dress.module.css'
import { Calendar, ChevronLeft, ChevronRight, Clock } from './icons'
import { texts } from './texts'

const LABELS = {
  previousMonth: texts.previousMonth,
  nextMonth: texts.nextMonth,
  monthLevelControl: texts.chooseMonth,
  previousYear: texts.previousYear,
  nextYear: texts.nextYear,
  yearLevelControl: texts.chooseYear,
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

export function DayInput({ value, onChange, min, max, ...rest }: DayInputProps) {
  const withinPortal = useInDialog()
  return (
    <DateInput
      value={value === '' ? null : value}
      onChange={day => onChange(day ?? '')}
      dateParser={text => dayFrom(text, dayOf(new Date()))}
      valueFormat="DD.MM.YYYY"
      placeholder={texts.dayPattern}
      locale="de"
      firstDayOfWeek={1}
      minDate={min}
      maxDate={max}
      clearable
      clearButtonProps={{ 'aria-label': texts.clearDay }}
      leftSection={<Calendar size={18} />}
      leftSectionPointerEvents="none"
      previousIcon={<ChevronLeft />}
      nextIcon={<ChevronRight />}
      ariaLabels={LABELS}
      popoverProps={{ withinPortal, classNames: { dropdown: `${dress.dropdown} ${dress.calendar}` } }}
      autoComplete="off"
      inputMode="numeric"
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
