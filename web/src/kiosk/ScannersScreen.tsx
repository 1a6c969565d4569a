/** The page of this clock's scanners: adopting new ones, and the states of the others. A tap takes precedence. */
import { type ReactNode, useState } from 'react'
import { adopt, forget } from './agent'
import classes from './ScannersScreen.module.css'
import { texts } from './texts'
import { momentIn, useTicking } from './time'
import type { Scanner, View } from './view'

type ScannersScreenProps = NonNullable<View['adopting']> & { ahead: number; zone: string }

/** The number that fits in a row. */
const A_PAGE = 6

export function ScannersScreen({ until, adopted, scanners = [], ahead, zone }: ScannersScreenProps) {
  const [open, setOpen] = useState<string | null>(null)
  const secondsLeft = Math.max(0, Math.ceil((Date.parse(until) - useTicking(ahead)) / 1_000))
  const time = texts.adoptLeft(`${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`)
  const shownScanner = scanners.find(({ serial }) => serial === open)
  if (shownScanner)
    return (
      <ScannerDetails
        key={shownScanner.serial}
        scanner={shownScanner}
        zone={zone}
        back={() => setOpen(null)}
      />
    )
  if (scanners.length === 0) return <NoScanner time={time} adopted={adopted} />
  return <All time={time} adopted={adopted} scanners={scanners} open={setOpen} />
}

function NoScanner({ time, adopted }: { time: string; adopted: string[] }) {
  return (
    <main className={classes.screen}>
      <div>
        <h1>{texts.adoptNow}</h1>
        <p className={classes.left}>{time}</p>
        <p>{texts.adoptDo}</p>
        <p role="status" className={classes.adopted}>
          {adopted.length > 0 && texts.adopted(adopted.toReversed().slice(0, 4))}
        </p>
      </div>
      <Foot />
    </main>
  )
}

interface AllProps {
  time: string
  adopted: string[]
  scanners: Scanner[]
  open: (serial: string) => void
}

function All({ time, adopted, scanners, open }: AllProps) {
  const [turned, setTurned] = useState(0)
  const pages = Math.ceil(scanners.length / A_PAGE)
  const page = turned % pages
  return (
    <main className={classes.screen} data-question="scanners">
      <div>
        <h1 className={classes.beside}>
          <span>{texts.scanners}</span>
          <span className={classes.small}>{time}</span>
        </h1>
        <p role="status">
          {adopted.length > 0 ? texts.adopted(adopted.toReversed().slice(0, 1)) : texts.adoptBeside}
        </p>
        <ul className={classes.tiles}>
          {scanners.slice(page * A_PAGE, (page + 1) * A_PAGE).map(scanner => (
            <li key={scanner.serial}>
              <button type="button" onClick={() => open(scanner.serial)}>
                <b>{scanner.name}</b>
                <span>{inShort(scanner)}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <Foot>
        {pages > 1 && (
          <button type="button" className={classes.done} onClick={() => setTurned(page + 1)}>
            {texts.more(page + 1, pages)}
          </button>
        )}
      </Foot>
    </main>
  )
}

function ScannerDetails({ scanner, zone, back }: { scanner: Scanner; zone: string; back: () => void }) {
  const [asked, setAsked] = useState(false)
  const [failed, setFailed] = useState(false)
  const { name, serial, connected, battery, charging, log, version, lastSeen, update } = scanner
  const facts = [
    [texts.where, connected ? texts.here : texts.away(momentIn(lastSeen, zone))],
    [texts.battery, battery === null ? texts.noBattery : texts.charge(battery, charging && connected)],
    [texts.log, texts.waiting(log.used)],
    [texts.version, update ? (texts.newer[update.state]?.(version, update.version) ?? version) : version],
  ] as const
  const warning = connected ? (log.used > 0 ? texts.forgetFull : texts.forgetEmpty) : texts.forgetAway
  return (
    <main className={classes.screen} data-question="scanner">
      <div>
        <h1>{asked ? texts.forgetAsk(name) : name}</h1>
        <p className={classes.serial}>{serial.replaceAll('-', '\u2011')}</p>
        {asked ? (
          <p className={classes.warning}>{warning}</p>
        ) : (
          <dl className={classes.said}>
            {facts.map(([what, how]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{how}</dd>
              </div>
            ))}
          </dl>
        )}
        <p role="alert">{failed ? texts.answerFailed : scanner.forgetting ? texts.forgetting : ''}</p>
      </div>
      <div className={classes.foot}>
        <button type="button" className={classes.done} onClick={asked ? () => setAsked(false) : back}>
          {asked ? texts.keep : texts.back}
        </button>
        {!scanner.forgetting && (
          <button
            type="button"
            className={classes.done}
            onClick={asked ? async () => setFailed(!(await forget(serial))) : () => setAsked(true)}
          >
            {asked ? texts.forgetNow : texts.forget}
          </button>
        )}
      </div>
    </main>
  )
}

function Foot({ children }: { children?: ReactNode }) {
  const [failed, setFailed] = useState(false)
  return (
    <div className={classes.foot}>
      {children}
      <button type="button" className={classes.done} onClick={async () => setFailed(!(await adopt(null)))}>
        <span role="status">{failed ? texts.answerFailed : texts.done}</span>
      </button>
    </div>
  )
}

function inShort({ connected, battery, log, update }: Scanner): string {
  const place = connected ? texts.here : texts.gone
  if (update?.state === 'sending') return `${place} · ${texts.updating}`
  if (log.used > 0) return `${place} · ${texts.waits(log.used)}`
  return battery === null ? place : `${place} · ${battery}\u00a0%`
}
