/** In the place of a dialog whose code is on its way: the page answers the press at once, by dimming. */
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
