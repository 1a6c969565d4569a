/** "Kommen oder Gehen?", after a tap that would close a long entry. The tap is saved whatever is answered. */
import { useState } from 'react'
import { Enter, Leave } from '../ui/icons'
import { answerDirection } from './agent'
import classes from './questions.module.css'
import { texts } from './texts'
import { momentIn } from './time'
import type { Direction } from './view'

interface DirectionQuestionProps {
  stampId: string
  openSince: string | null
  zone: string
}

export function DirectionQuestion({ stampId, openSince, zone }: DirectionQuestionProps) {
  const [failed, setFailed] = useState(false)
  const press = async (direction: Direction) => setFailed(!(await answerDirection(stampId, direction)))
  return (
    <section className={classes.question}>
      <h2>{texts.directionQuestion}</h2>
      {openSince !== null && <p>{texts.openSince(momentIn(openSince, zone))}</p>}
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
