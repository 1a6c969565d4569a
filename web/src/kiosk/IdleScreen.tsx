/** The idle clock: the time, large; the instruction; and Kommen or Gehen for choosing the direction before the tap. */
import { useEffect, useState } from 'react'
import { Alert, Enter, HoldChip, Leave } from '../ui/icons'
import { choose } from './agent'
import classes from './IdleScreen.module.css'
import { StatusBar, Uncertain } from './StatusBar'
import { Trouble, troubleOf } from './Trouble'
import { texts } from './texts'
import { drift, localTime, useTicking } from './time'
import type { Direction, View } from './view'

/** How long an ignored press is reported; then the instruction returns for the next person. */
export const FAILED_MS = 5_000

const NAMES: Record<Direction, string> = { in: texts.in, out: texts.out }

export function IdleScreen({ view, ahead }: { view: View; ahead: number }) {
  const moment = useTicking(ahead)
  const { hoursMinutes, seconds, day } = localTime(moment, view.zone)
  const { x, y } = drift(moment)
  const trouble = troubleOf(view)
  return (
    <main className={classes.screen}>
      <div className={classes.drifting} style={{ transform: `translate(${x}px, ${y}px)` }}>
        <StatusBar view={view} />
        <div className={classes.middle}>
          <h1 className={classes.time} data-first={hoursMinutes[0]}>
            <time>{hoursMinutes}</time>
            <span className={classes.seconds} aria-hidden="true">
              {seconds}
            </span>
          </h1>
          <div className={classes.day}>
            <p>{day}</p>
            {!view.timeTrusted && <Uncertain />}
          </div>
        </div>
        {trouble !== null ? <Trouble {...trouble} /> : <Invitation {...view} />}
      </div>
    </main>
  )
}

/** The instruction, with an optional direction below; a chosen direction can be cleared. */
function Invitation({ chosen, after, notice }: Pick<View, 'chosen' | 'after' | 'notice'>) {
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!failed) return
    const timer = setTimeout(() => setFailed(false), FAILED_MS)
    return () => clearTimeout(timer)
  }, [failed])
  const press = async (direction: Direction | null) => setFailed(!(await choose(direction, after)))
  const instruction = chosen === null ? texts.hint : texts.holdNow(NAMES[chosen])
  const trouble = notice === 'too_late' ? texts.tooLate : failed ? texts.answerFailed : null
  return (
    <>
      <div className={classes.hold} data-chosen={trouble !== null ? 'failed' : chosen}>
        {trouble !== null ? <Alert /> : <HoldChip />}
        <p role="status">{trouble ?? instruction}</p>
      </div>
      <section className={classes.choice} aria-label={texts.choose}>
        {chosen === null ? (
          <>
            <p aria-hidden="true">{texts.choose}</p>
            <button type="button" className={classes.button} onClick={() => press('in')}>
              <Enter />
              {texts.in}
            </button>
            <button type="button" className={classes.button} onClick={() => press('out')}>
              <Leave />
              {texts.out}
            </button>
          </>
        ) : (
          <button type="button" className={classes.button} onClick={() => press(null)}>
            {texts.cancel}
          </button>
        )}
      </section>
    </>
  )
}
