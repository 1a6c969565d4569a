/** Shown below the next person’s answer: the previous person's press came too late, and does not count. */
import { Alert } from '../ui/icons'
import classes from './TooLate.module.css'
import { texts } from './texts'

export function TooLate() {
  return (
    <p role="alert" className={classes.late}>
      <Alert />
      {texts.tooLate}
    </p>
  )
}
