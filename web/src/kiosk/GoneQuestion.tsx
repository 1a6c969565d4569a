/** "Wann bist du gegangen?", with our own keypad. The answer becomes a request that somebody decides. */
import { useState } from 'react'
import { dayInMonth } from '../ui/days'
import { Backspace } from '../ui/icons'
import { answerGone, dismiss } from './agent'
import { DIGITS, display, erase, press, timeFrom } from './keypad'
import classes from './questions.module.css'
import { texts } from './texts'

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

export function GoneQuestion({ stampId, date }: { stampId: string; date: string | null }) {
  const [digits, setDigits] = useState('')
  const [failed, setFailed] = useState(false)
  const time = timeFrom(digits)
  const send = async () => {
    if (time !== null) setFailed(!(await answerGone(stampId, time)))
  }
  const type = (digit: string) => {
    setFailed(false)
    setDigits(known => press(known, digit))
  }
  const complaint = failed
    ? texts.answerFailed
    : digits.length === DIGITS && time === null
      ? texts.noSuchTime
      : ''
  return (
    <section className={`${classes.question} ${classes.gone}`}>
      <div className={classes.asked}>
        <h2>{texts.goneQuestion}</h2>
        {date !== null && <p>{texts.goneOn(dayInMonth(date))}</p>}
        <output className={classes.entered} aria-label={texts.enteredTime}>
          {display(digits)}
        </output>
        <p className={classes.failed} role="alert">
          {complaint}
        </p>
        <div className={classes.pair}>
          <button type="button" className={classes.target} onClick={dismiss}>
            {texts.dontKnow}
          </button>
          <button type="button" className={classes.target} disabled={time === null} onClick={send}>
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
