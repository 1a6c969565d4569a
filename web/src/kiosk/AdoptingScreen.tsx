/** New scanners are put into the base: for how long still, and which have become this clock's. A tap comes before it. */
import { useState } from 'react'
import classes from './AdoptingScreen.module.css'
import { adopt } from './agent'
import { texts } from './texts'
import { useTicking } from './time'
import type { View } from './view'

type AdoptingScreenProps = NonNullable<View['adopting']> & { ahead: number }

export function AdoptingScreen({ until, adopted, ahead }: AdoptingScreenProps) {
  const [failed, setFailed] = useState(false)
  const left = Math.max(0, Math.ceil((Date.parse(until) - useTicking(ahead)) / 1_000))
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <main className={classes.screen}>
      <div>
        <h1>{texts.adoptNow}</h1>
        <p className={classes.left}>{texts.adoptLeft(time)}</p>
        <p>{texts.adoptDo}</p>
        <p role="status" className={classes.adopted}>
          {adopted.length > 0 && texts.adopted(adopted.toReversed().slice(0, 4))}
        </p>
        <p role="alert">{failed && texts.answerFailed}</p>
      </div>
      <button type="button" className={classes.done} onClick={async () => setFailed(!(await adopt(null)))}>
        {texts.done}
      </button>
    </main>
  )
}
