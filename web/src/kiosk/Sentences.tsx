import { Fragment } from 'react'
import classes from './Sentences.module.css'

/** Text that begins a new line with a sentence rather than within one. */
export function Sentences({ text }: { text: string }) {
  return text.split(/(?<=\.) /).map((sentence, place) => (
    <Fragment key={sentence}>
      {place > 0 && ' '}
      <span className={classes.sentence}>{sentence}</span>
    </Fragment>
  ))
}
