/** Said beneath the next person’s answer: the press of somebody before came too late, and counts for nobody. */
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
