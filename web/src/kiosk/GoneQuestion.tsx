/**
 * "Wann bist du gegangen?", with our own keypad. The answer becomes a correction request, which an administrator
 * decides.
 */
import { useState } from 'react'
import { dayInMonth } from '../ui/days'
import { Backspace } from '../ui/icons'
import { answerGone, dismiss } from './agent'
import { boxes, DIGITS, erase, press, timeFrom } from './keypad'
import classes from './questions.module.css'
import { texts } from './texts'
import { localTime, sameDay } from './time'
import type { OpenQuestion } from './view'

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

interface GoneQuestionProps {
  asked: OpenQuestion
  zone: string
  ahead: number
}

export function GoneQuestion({ asked, zone, ahead }: GoneQuestionProps) {
  const [digits, setDigits] = useState('')
  const [failed, setFailed] = useState(false)
  const time = timeFrom(digits)
  const send = async () => {
    if (time !== null) setFailed(!(await answerGone(asked.stampId, time)))
  }
  const type = (digit: string) => {
    setFailed(false)
    setDigits(previous => press(previous, digit))
  }
  const complaint = failed
    ? texts.answerFailed
    : digits.length === DIGITS && time === null
      ? texts.noSuchTime
      : ''
  const start = startOf(asked, zone, Date.now() + ahead)
  return (
    <section className={classes.gone}>
      <div className={classes.asked}>
        <div role="status">
          <h1>{texts.goneQuestion}</h1>
          {start !== null && <p className={classes.start}>{start}</p>}
        </div>
        <div className={classes.typed}>
          <Boxes digits={digits} />
          <p className={classes.failed} role="alert">
            {complaint}
          </p>
        </div>
        <div className={classes.pair}>
          <button type="button" className={classes.target} onClick={() => dismiss(asked.key)}>
            {texts.dontKnow}
          </button>
          <button
            type="button"
            className={`${classes.target} ${classes.first}`}
            disabled={time === null}
            onClick={send}
          >
            {texts.send}
          </button>
        </div>
      </div>
      <div className={classes.keys}>
        {KEYS.map(key => (
          <button key={key} type="button" className={classes.key} onClick={() => type(key)}>
            {key}
          </button>
        ))}
        <span />
        <button type="button" className={classes.key} onClick={() => type('0')}>
          {'0'}
        </button>
        <button
          type="button"
          className={classes.key}
          aria-label={texts.erase}
          onClick={() => setDigits(erase(digits))}
        >
          <Backspace />
        </button>
      </div>
    </section>
  )
}

/** Four boxes show the number of digits; the next one is marked. */
function Boxes({ digits }: { digits: string }) {
  const [hours, minutes] = boxes(digits).map((part, half) =>
    part.map((digit, index) => {
      const position = 2 * half + index
      return (
        <span key={position} className={classes.box} data-next={position === digits.length || undefined}>
          {digit}
        </span>
      )
    }),
  )
  return (
    <output className={classes.entered} aria-label={texts.enteredTime}>
      {hours}
      {':'}
      {minutes}
    </output>
  )
}

/** The start of the open entry, or its day if unknown. */
function startOf({ openSince, questionDate }: OpenQuestion, zone: string, now: number): string | null {
  if (openSince === null) return questionDate === null ? null : texts.goneOn(dayInMonth(questionDate))
  const began = Date.parse(openSince)
  const { day, hoursMinutes } = localTime(began, zone)
  return sameDay(began, now, zone) ? texts.cameToday(hoursMinutes) : texts.cameOn(day, hoursMinutes)
}
