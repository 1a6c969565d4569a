import { Link } from 'react-router'
import { texts } from '../texts'
import classes from './Foot.module.css'

export function Foot() {
  return (
    <footer className={classes.foot}>
      <div className={classes.inner}>
        <p>{texts.copyright}</p>
        <ul className={classes.links}>
          <li>
            <Link to="/impressum">{texts.imprint}</Link>
          </li>
          <li>
            <Link to="/datenschutz">{texts.privacy}</Link>
          </li>
          <li>
            <Link to="/pruefen">{texts.checkStatement}</Link>
          </li>
          <li>
            <a href="/kontakt">{texts.contact}</a>
          </li>
        </ul>
      </div>
    </footer>
  )
}
