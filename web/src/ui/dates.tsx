/** A field for a day, in German whatever the browser speaks: typed, or chosen in a calendar. */
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import './fields'
import { DateInput, type DateInputProps } from '@mantine/dates'
import { type FormEvent, useRef, useState } from 'react'
import { useInDialog } from './Dialog'
import classes from './dates.module.css'
import { currentDay } from './days'
import { dayFrom } from './dayText'
import dress from './dress.module.css'
import { texts as fieldTexts } from './fieldTexts'
import { Calendar, ChevronLeft, ChevronRight } from './icons'
import { texts } from './texts'
import { CALENDAR_OPENS } from './theme'

/** The labels of the month and year buttons are their texts. */
const LABELS = {
  previousMonth: texts.previousMonth,
  nextMonth: texts.nextMonth,
  previousYear: texts.previousYear,
  nextYear: texts.nextYear,
  previousDecade: fieldTexts.previousDecade,
  nextDecade: fieldTexts.nextDecade,
}

interface DayInputProps extends Omit<DateInputProps, 'value' | 'onChange' | 'minDate' | 'maxDate'> {
  /** `YYYY-MM-DD`; empty without a choice. */
  value: string
  onChange: (day: string) => void
  min?: string | undefined
  max?: string | undefined
  /** The sentence for a text that is no day. */
  noSuchDay?: string
}

export function DayInput({
  value,
  onChange,
  min,
  max,
  noSuchDay = fieldTexts.noSuchDay,
  error,
  ...rest
}: DayInputProps) {
  const withinPortal = useInDialog()
  const { day, take, typing, settle, text, impossible } = useTyped(value, onChange)
  const [open, setOpen] = useState(false)
  // The calendar does not open on focus: where a form focuses an invalid field, it would cover the sentence.
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
      // An invalid text stays so that it can be corrected; a valid day is reformatted.
      fixOnBlur={isDay(text)}
      error={(impossible && noSuchDay) || error}
      // A form is not sent with it (`patterns/useForm.ts`).
      data-impossible={impossible || undefined}
      valueFormat="DD.MM.YYYY"
      placeholder={fieldTexts.dayPattern}
      locale="de"
      firstDayOfWeek={1}
      minDate={min}
      maxDate={max}
      defaultDate={presentWithin(min, max)}
      getDayProps={day => ({ 'data-today': day === currentDay() || undefined })}
      clearable
      clearButtonProps={{ 'aria-label': fieldTexts.clearDay, className: classes.clear ?? '' }}
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

/** Returns where the calendar opens: today, or the nearest day within the bounds. Mantine would take the device's clock. */
function presentWithin(min = '', max = '9999'): string {
  const today = currentDay()
  return today < min ? min : today > max ? max : today
}

const dayTyped = (text: string) => dayFrom(text, currentDay())

const isDay = (text: string) => text.trim() === '' || dayTyped(text) !== null

/** Typing 01.11.2026 passes through 01.11.20, so the value is reported once the user leaves the field. */
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
    const isComplete = isDay(text)
    // On the way to 31.11. there is a 31.1.
    if (isComplete && draft !== null && draft !== value) onChange(draft)
    if (isComplete) setDraft(null)
    setImpossible(!isComplete)
  }
  const typing = (event: FormEvent<HTMLInputElement>) => {
    byKey.current = true
    setText(event.currentTarget.value)
    setImpossible(false)
  }
  return { day: draft ?? value, take, typing, settle, text, impossible }
}
