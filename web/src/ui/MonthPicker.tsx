/**
 * Chooses a month: previous and next, and a panel of twelve for a longer way.
 *
 * In the panel arrow keys move by month and by row, Page Up and Page Down by year, Home and End to the year's ends;
 * it needs no mouse, and its targets are large enough for a thumb.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from './Button'
import { useFocusPassedOn } from './focus'
import { CalendarNow, ChevronDown, ChevronLeft, ChevronRight } from './icons'
import classes from './MonthPicker.module.css'
import { addMonths, currentMonth, monthIn, monthName, monthWord, yearOf } from './months'
import { texts } from './texts'
import { usePanel } from './usePanel'

interface MonthPickerProps {
  month: string
  onChange: (month: string) => void
}

export function MonthPicker({ month, onChange }: MonthPickerProps) {
  const { open, button, panel, toggle, close } = usePanel<HTMLDivElement>()
  const today = currentMonth()
  const choose = (chosen: string) => {
    close()
    button.current?.focus()
    onChange(chosen)
  }
  return (
    <div className={classes.picker}>
      <button
        type="button"
        className={classes.step}
        aria-label={texts.previousMonth}
        onClick={() => onChange(addMonths(month, -1))}
      >
        <ChevronLeft />
      </button>
      <div className={classes.place}>
        <button ref={button} type="button" className={classes.current} aria-expanded={open} onClick={toggle}>
          <span aria-live="polite">{monthName(month)}</span>
          <ChevronDown size={16} />
          <span className="visually-hidden">{texts.chooseMonth}</span>
        </button>
        {open && (
          <div ref={panel} className={classes.panel}>
            <MonthPanel month={month} today={today} onChoose={choose} />
            {month !== today && (
              <Button look="plain" wide className={classes.back} onClick={() => choose(today)}>
                {texts.thisMonth}
              </Button>
            )}
          </div>
        )}
      </div>
      <button
        type="button"
        className={`${classes.step} ${classes.next}`}
        aria-label={texts.nextMonth}
        onClick={() => onChange(addMonths(month, 1))}
      >
        <ChevronRight />
      </button>
      {month !== today && <ToThisMonth onPress={() => onChange(today)} />}
    </div>
  )
}

function ToThisMonth({ onPress }: { onPress: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} look="plain" className={classes.today} onClick={onPress}>
      <CalendarNow className={classes.todayIcon} />
      <span className={classes.todayName}>{texts.thisMonth}</span>
    </Button>
  )
}

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -3,
  ArrowDown: 3,
  PageUp: -12,
  PageDown: 12,
}

interface MonthPanelProps {
  month: string
  today: string
  onChoose: (month: string) => void
}

function MonthPanel({ month, today, onChoose }: MonthPanelProps) {
  const [focused, setFocused] = useState(month)
  const moved = useRef(true)
  const grid = useRef<HTMLDivElement>(null)
  const label = useId()
  const year = yearOf(focused)

  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-month="${focused}"]`)?.focus()
    moved.current = false
  }, [focused])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const target =
      step !== undefined
        ? addMonths(focused, step)
        : event.key === 'Home'
          ? monthIn(year, 1)
          : event.key === 'End'
            ? monthIn(year, 12)
            : null
    if (target === null) return
    event.preventDefault()
    moved.current = true
    setFocused(target)
  }

  return (
    <>
      <div className={classes.years}>
        <button
          type="button"
          className={classes.step}
          aria-label={texts.previousYear}
          onClick={() => setFocused(addMonths(focused, -12))}
        >
          <ChevronLeft />
        </button>
        <span id={label} className={classes.year} aria-live="polite">
          {year}
        </span>
        <button
          type="button"
          className={classes.step}
          aria-label={texts.nextYear}
          onClick={() => setFocused(addMonths(focused, 12))}
        >
          <ChevronRight />
        </button>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own frame; these are plain choices */}
      <div ref={grid} className={classes.months} role="group" aria-labelledby={label} onKeyDown={onKeyDown}>
        {Array.from({ length: 12 }, (_, index) => monthIn(year, index + 1)).map(each => (
          <button
            key={each}
            type="button"
            data-month={each}
            tabIndex={each === focused ? 0 : -1}
            className={classes.month}
            aria-label={monthName(each)}
            aria-pressed={each === month}
            aria-current={each === today ? 'date' : undefined}
            onClick={() => onChoose(each)}
          >
            {monthWord(each)}
          </button>
        ))}
      </div>
    </>
  )
}
