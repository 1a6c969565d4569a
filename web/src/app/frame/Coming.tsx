/** The placeholder of a dialog whose code is loading: the page dims at once, in response to the press. */
import { texts } from '../texts'
import classes from './Coming.module.css'

export function Coming() {
  return (
    <div className={classes.scrim} role="status">
      <span className={classes.ring} />
      <span className="visually-hidden">{texts.coming}</span>
    </div>
  )
}
