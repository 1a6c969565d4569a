/** The clock's question after a tap. It is neutral: no direction is named or coloured before the answer. */
import { Enter } from '../ui/icons'
import { DirectionQuestion } from './DirectionQuestion'
import { useFit } from './fit'
import { GoneQuestion } from './GoneQuestion'
import classes from './questions.module.css'
import { Stored } from './Stored'
import { texts } from './texts'
import type { OpenQuestion } from './view'

interface QuestionScreenProps {
  asked: OpenQuestion
  zone: string
  ahead: number
}

export function QuestionScreen({ asked, zone, ahead }: QuestionScreenProps) {
  const name = useFit()
  const isGone = asked.question === 'gone'
  return (
    <main data-kind={asked.kind} data-question={asked.question} className={classes.screen}>
      <p className={classes.name} ref={name}>
        {asked.name}
      </p>
      {isGone ? (
        <GoneQuestion asked={asked} zone={zone} ahead={ahead} />
      ) : (
        <DirectionQuestion asked={asked} zone={zone} />
      )}
      <footer className={classes.foot}>
        <p className={classes.tap}>
          {isGone && <Enter />}
          {isGone && texts.in} <time>{asked.time}</time>
        </p>
        <Stored sent={asked.sent} />
      </footer>
    </main>
  )
}
