/** The clock at rest: the time, large; and Kommen or Gehen for who wants to say it before the tap. */
import { useState } from 'react'
import { Enter, Leave } from '../ui/icons'
import { choose } from './agent'
import classes from './IdleScreen.module.css'
import { StatusBar } from './StatusBar'
import { Trouble, troubleOf } from './Trouble'
import { texts } from './texts'
import { drift, shown, useTicking } from './time'
import type { Direction, View } from './view'

const NAMES: Record<Direction, string> = { in: texts.in, out: texts.out }

export function IdleScreen({ view, ahead }: { view: View; ahead: number }) {
  const moment = useTicking(ahead)
  const { hoursMinutes, seconds, day } = shown(moment, view.zone)
  const { x, y } = drift(moment)
  const trouble = troubleOf(view)
  return (
    <main className={classes.screen}>
      <div className={classes.drifting} style={{ transform: `translate(${x}px, ${y}px)` }}>
        <StatusBar view={view} />
        <div className={classes.middle}>
          {view.chosen === null ? (
            <>
              <h1 className={classes.time} data-first={hoursMinutes[0]}>
                <time>{hoursMinutes}</time>
                <span className={classes.seconds} aria-hidden="true">
                  {seconds}
                </span>
              </h1>
              <p className={classes.day}>{day}</p>
            </>
          ) : (
            <h1 className={classes.hold}>
              {view.chosen === 'in' ? <Enter /> : <Leave />}
              <span role="status">{texts.holdNow(NAMES[view.chosen])}</span>
            </h1>
          )}
        </div>
        {trouble !== null ? <Trouble {...trouble} /> : <Choice chosen={view.chosen} />}
      </div>
    </main>
  )
}

/** The two large targets; the chosen one can be taken back. */
function Choice({ chosen }: { chosen: Direction | null }) {
  const [failed, setFailed] = useState(false)
  const press = async (direction: Direction | null) => setFailed(!(await choose(direction)))
  return (
    <section className={classes.choice} aria-label={texts.choose}>
      <p className={classes.hint} role="status">
        {failed ? texts.answerFailed : chosen === null ? texts.hint : ''}
      </p>
      {chosen === null ? (
        <div className={classes.buttons}>
          <button type="button" className={classes.button} onClick={() => press('in')}>
            <Enter />
            {texts.in}
          </button>
          <button type="button" className={classes.button} onClick={() => press('out')}>
            <Leave />
            {texts.out}
          </button>
        </div>
      ) : (
        <div className={classes.buttons}>
          <button type="button" className={classes.button} onClick={() => press(null)}>
            {texts.cancel}
          </button>
        </div>
      )}
    </section>
  )
}
