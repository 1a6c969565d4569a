/** "Kommen oder Gehen?", after a tap that would close a long entry. The tap is saved whatever the answer. */
import { useState } from 'react'
import { Enter, Leave } from '../ui/icons'
import { answerDirection } from './agent'
import classes from './questions.module.css'
import { texts } from './texts'
import { momentIn } from './time'
import type { Direction, OpenQuestion } from './view'

export function DirectionQuestion({ asked, zone }: { asked: OpenQuestion; zone: string }) {
  const [failed, setFailed] = useState(false)
  const press = async (direction: Direction) => setFailed(!(await answerDirection(asked.stampId, direction)))
  return (
    <section className={classes.direction}>
      <div role="status">
        <h1>{texts.directionQuestion}</h1>
        {asked.openSince !== null && (
          <p className={classes.start}>{texts.openSince(momentIn(asked.openSince, zone))}</p>
        )}
      </div>
      <div className={classes.two}>
        <button type="button" className={classes.target} onClick={() => press('in')}>
          <Enter />
          {texts.in}
        </button>
        <button type="button" className={classes.target} onClick={() => press('out')}>
          <Leave />
          {texts.out}
        </button>
      </div>
      <p className={classes.failed} role="alert">
        {failed ? texts.answerFailed : ''}
      </p>
    </section>
  )
}
