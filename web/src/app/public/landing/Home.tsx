/** The home of who is not logged in. */
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { forgetEnding, useEnding } from '../../api/session'
import { left } from '../../offline/unsent'
import { Button } from '../../ui/Button'
import { BRAND } from '../../ui/brand'
import { Check, Chip, Enter, Offline } from '../../ui/icons'
import { Notice } from '../../ui/Notice'
import { useTitle } from '../../ui/PageFrame'
import { askedFor } from '../areas'
import { useFrame } from '../frame/useFrame'
import { texts } from '../texts'
import classes from './Home.module.css'

export function Home() {
  useTitle(BRAND)
  const { openLogin, prepareLogin } = useFrame()
  return (
    <div className={classes.home}>
      <SessionNotice />
      <div className={classes.hero}>
        <div className={classes.words}>
          <h1 className={classes.title}>Chip dran. Gestempelt.</h1>
          <p className={classes.lead}>
            Deine Arbeitszeit steht, noch bevor du die Jacke aufhängst: an der Uhr, auf dem Handy und in der
            Abrechnung. Auch wenn das Internet gerade weg ist.
          </p>
          <Button
            look="primary"
            className={classes.enter}
            icon={<Enter size={22} />}
            onClick={openLogin}
            onPointerEnter={prepareLogin}
          >
            Loslegen
          </Button>
        </div>
        <ClockPicture />
      </div>
      <ul className={classes.facts}>
        <li>
          <Chip size={26} />
          <h2>Ein Handgriff</h2>
          <p>Chip an die Uhr halten. Sie grüßt dich beim Namen und sagt Kommen oder Gehen.</p>
        </li>
        <li>
          <Offline size={26} />
          <h2>Kein Netz, kein Problem</h2>
          <p>Die Uhr speichert jeden Stempel zuerst bei sich und schickt ihn nach, sobald es geht.</p>
        </li>
        <li>
          <Check size={26} />
          <h2>Sofort sichtbar</h2>
          <p>Kommen, Gehen, Pausen und Summen siehst du im selben Moment unter „Meine Zeiten“.</p>
        </li>
      </ul>
    </div>
  )
}

/** Why somebody finds themselves here: the session ended, said this one time, or the page they wanted needs one. */
function SessionNotice() {
  const [ending] = useState(useEnding())
  useEffect(forgetEnding, [])
  const { state } = useLocation()
  const [waiting] = useState(() => left().reduce((sum, { count }) => sum + count, 0))
  if (ending === 'expired') {
    return (
      <Notice tone="error" live="assertive" title={texts.sessionEnded}>
        <p>{texts.unauthorized}</p>
        <p>{texts.sessionEndedWhy}</p>
        {waiting > 0 && <p>{texts.unsentWaiting(waiting)}</p>}
      </Notice>
    )
  }
  if (ending === 'everywhere') return <Notice live="polite">{texts.signedOutEverywhere}</Notice>
  if (ending === 'elsewhere') return <Notice live="polite">{texts.elsewhere}</Notice>
  if (ending === null && askedFor(state) !== null) return <Notice live="polite">{texts.signInFirst}</Notice>
  return null
}

/** A drawing of the clock, for the eye only. */
function ClockPicture() {
  return (
    <div className={classes.device} aria-hidden="true">
      <div className={classes.screen}>
        <p className={classes.screenTop}>
          <span>Tischlerei Holm</span>
          <span>Werkstatt</span>
        </p>
        <p className={classes.direction}>
          <Enter size={26} strokeWidth={2.4} />
          Kommen
        </p>
        <p className={classes.name}>Hallo, Mia</p>
        <p className={classes.time}>07:58</p>
      </div>
      <div className={classes.reader}>
        <Chip size={30} />
      </div>
    </div>
  )
}
