/** A demo clock: a tap on the left becomes an entry on the right, at once with a network, later without. */
import { useRef, useState } from 'react'
import { hoursMinutes, span } from '../../../ui/durations'
import { Check, Chip, Enter, Leave, Offline } from '../../../ui/icons'
import classes from './ClockDemo.module.css'
import {
  atTheClock,
  connected,
  type Day,
  entriesOf,
  isOver,
  MORNING,
  nowOf,
  tapped,
  timeOf,
  waiting,
  workedOf,
} from './day'

export function ClockDemo() {
  const [day, setDay] = useState(MORNING)
  const reader = useRef<HTMLButtonElement>(null)
  const begin = () => {
    setDay({ ...MORNING, online: day.online })
    // The pressed button is gone with the day.
    reader.current?.focus({ preventScroll: true })
  }
  return (
    <div className={classes.demo}>
      <div className={classes.device}>
        <div className={`${classes.screen} ${classes[day.answer ?? 'idle']}`} aria-live="polite">
          <Screen day={day} />
        </div>
        <button ref={reader} type="button" className={classes.reader} onClick={() => setDay(tapped)}>
          <span className={classes.ring}>
            <Chip size={30} />
          </span>
          <span>Chip anhalten</span>
        </button>
      </div>
      <div className={classes.below}>
        <Sheet day={day} />
        <div className={classes.choices}>
          <label className={classes.network}>
            <input
              type="checkbox"
              role="switch"
              aria-checked={day.online}
              checked={day.online}
              onChange={event => setDay(connected(day, event.currentTarget.checked))}
            />
            <span className={classes.track} />
            Internet
          </label>
          {day.stamps.length > 0 && (
            <button type="button" className={classes.newDay} onClick={begin}>
              Neuer Tag
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function Screen({ day }: { day: Day }) {
  const { answer } = day
  if (answer === null) {
    return (
      <>
        <p className={classes.top}>Tischlerei Holm · Werkstatt</p>
        <p className={classes.time}>{timeOf(nowOf(day))}</p>
        <p className={classes.hint}>Chip anhalten, fertig.</p>
      </>
    )
  }
  return (
    <>
      <p className={classes.direction}>
        {answer === 'in' ? <Enter size={26} strokeWidth={2.4} /> : <Leave size={26} strokeWidth={2.4} />}
        {answer === 'again' ? 'Schon gestempelt' : answer === 'in' ? 'Kommen' : 'Gehen'}
      </p>
      <p className={classes.greeting}>{answer === 'in' ? 'Hallo, Mia' : 'Bis bald, Mia'}</p>
      <p className={classes.time}>{timeOf(nowOf(day))}</p>
      <p className={classes.foot}>
        <span>
          {day.online ? <Check size={16} /> : <Offline size={16} />}
          {day.online ? 'gespeichert · gesendet' : 'gespeichert · wird gesendet'}
        </span>
        <span>Heute {hoursMinutes(workedOf(atTheClock(day)))}</span>
      </p>
    </>
  )
}

/** The employee's own page during the demo. */
function Sheet({ day }: { day: Day }) {
  const entries = entriesOf(day)
  const waitingStamps = waiting(day)
  return (
    <section className={classes.sheet} aria-label="Beispiel: Meine Zeiten">
      <p className={classes.sheetHead}>
        <span>Meine Zeiten, heute</span>
        <span className={classes.sum}>{hoursMinutes(workedOf(day))}</span>
      </p>
      <ul aria-live="polite">
        {entries.length === 0 && waitingStamps === 0 && (
          <li className={classes.empty}>Noch nichts gestempelt. Halte den Chip an die Uhr.</li>
        )}
        {entries.map(({ start, end }) => (
          <li key={start}>
            <span>
              {end === null ? (
                <>
                  {timeOf(start)} – <em>läuft</em>
                </>
              ) : (
                span(timeOf(start), timeOf(end))
              )}
            </span>
            <span>{end === null ? 'an der Uhr „Werkstatt“' : hoursMinutes(end - start)}</span>
          </li>
        ))}
        {waitingStamps > 0 && (
          <li className={classes.held}>
            <Offline size={16} />
            {waitingStamps === 1
              ? '1 Stempel wartet sicher auf der Uhr'
              : `${waitingStamps} Stempel warten sicher auf der Uhr`}
          </li>
        )}
        {isOver(day) && waitingStamps === 0 && <li className={classes.done}>Feierabend. Pause: 0h 31m</li>}
      </ul>
    </section>
  )
}
