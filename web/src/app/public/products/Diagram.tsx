/**
 * The clock with four hotspots: each explains that part's protection, and shows the clock in its safe state. Without
 * JavaScript all four texts are below the picture. Alt and a click log the position in the picture, for moving a
 * hotspot.
 */
import { type MouseEvent, useState } from 'react'
import { missing } from '../missing'
import normal from '../pictures/clock.svg'
import safe from '../pictures/clock-safe.svg'
import places from '../pictures/hotspots.json'
import classes from './Diagram.module.css'

const SPOTS = [
  {
    id: 'power',
    title: 'Stromversorgung',
    text: `Zieht jemand den Stecker, ist jeder bestätigte Stempel schon gespeichert. ${missing.has('docks') ? 'Das PowerDock, mit dem die Uhr weiterläuft, ist im Bau.' : 'Im PowerDock läuft die Uhr weiter.'}`,
  },
  {
    id: 'ports',
    title: 'USB und HDMI',
    text: 'Wer etwas ansteckt, findet keinen Dienst, der ihm antwortet. Zum Stempeln braucht die Uhr die Buchsen nicht; sie lassen sich verschließen.',
  },
  {
    id: 'display',
    title: 'Display und Web',
    text: 'Der Schirm zeigt nur, was zum Stempeln nötig ist. Fremde Seiten und Geräte im Netz weist er ab, und ohne Netz sagt er „gespeichert · wird gesendet“.',
  },
  {
    id: 'sd',
    title: 'SD-Karte',
    text: 'Auf ihr liegen Stempel und Schlüssel der Uhr. Taucht eine Kopie auf, merkt der Server, dass zwei mit einer Stimme sprechen, und hält es an beiden fest.',
  },
] as const

type Spot = (typeof SPOTS)[number]['id']

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

export function Diagram() {
  const [chosen, setChosen] = useState<Spot | null>(null)
  return (
    <div className={classes.diagram}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: for who moves a spot, with a mouse */}
      <div className={classes.picture} onClick={logPlace}>
        <img src={normal} width={640} height={460} alt="Die Stempeluhr von vorn" hidden={chosen !== null} />
        <img
          src={safe}
          width={640}
          height={460}
          alt="Die Stempeluhr im abgesicherten Zustand"
          hidden={chosen === null}
        />
        {SPOTS.map(({ id, title }, index) => {
          const { x = 0, y = 0 } = places.find(place => place.id === id) ?? {}
          return (
            <button
              key={id}
              type="button"
              className={classes.spot}
              style={{ left: percent(x), top: percent(y) }}
              aria-pressed={chosen === id}
              aria-describedby={`spot-${id}`}
              onClick={event => {
                if (!event.altKey) setChosen(chosen === id ? null : id)
              }}
            >
              <span aria-hidden="true">{index + 1}</span>
              <span className="visually-hidden">{title}</span>
            </button>
          )
        })}
      </div>
      <ol className={classes.spots}>
        {SPOTS.map(({ id, title, text }) => (
          <li key={id} id={`spot-${id}`} data-chosen={chosen === id}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

function logPlace(event: MouseEvent<HTMLElement>) {
  if (!event.altKey) return
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
  const x = (event.clientX - left) / width
  const y = (event.clientY - top) / height
  // biome-ignore lint/suspicious/noConsole: what it is for
  console.log(`{ "x": ${x.toFixed(3)}, "y": ${y.toFixed(3)} }`)
}
