import { Fragment } from 'react'
import classes from './Sentences.module.css'

/** Text that wraps between sentences rather than within one. */
export function Sentences({ text }: { text: string }) {
  return text.split(/(?<=\.) /).map((sentence, index) => (
    <Fragment key={sentence}>
      {index > 0 && ' '}
      <span className={classes.sentence}>{sentence}</span>
    </Fragment>
  ))
}
