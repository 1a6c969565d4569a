/** The status bar: the clock's company, and warnings. */
import { Alert, Check, Clock, Offline } from '../ui/icons'
import classes from './StatusBar.module.css'
import { texts } from './texts'
import type { View } from './view'

export function StatusBar({ view }: { view: View }) {
  const updating = view.update ? texts.update[view.update.state]?.(view.update.version) : undefined
  return (
    <header className={classes.bar}>
      <p className={classes.names}>
        {view.companyName !== null && <strong>{view.companyName}</strong>}
        <span>{view.clockName}</span>
      </p>
      <ul className={classes.chips}>
        {updating !== undefined && <li className={`${classes.chip} ${classes.calm}`}>{updating}</li>}
        {view.screen === 'unassigned' && !view.timeTrusted && (
          <li>
            <Uncertain />
          </li>
        )}
        <li className={`${classes.chip} ${view.connection === 'online' ? classes.calm : ''}`}>
          <ConnectionIcon connection={view.connection} />
          <span role="status">{connectionText(view)}</span>
        </li>
      </ul>
    </header>
  )
}

/** Next to the time in question; without a time, among the other warnings. */
export function Uncertain() {
  return (
    <p className={classes.chip}>
      <Clock />
      {texts.timeUncertain}
    </p>
  )
}

function ConnectionIcon({ connection }: { connection: View['connection'] }) {
  if (connection === 'online') return <Check />
  return connection === 'offline' ? <Offline /> : <Alert />
}

export function connectionText({ connection, queued }: Pick<View, 'connection' | 'queued'>): string {
  if (connection === 'online') return queued > 0 ? texts.queued(queued) : texts.online
  if (connection === 'offline') return queued > 0 ? texts.offlineQueued(queued) : texts.offline
  return queued > 0 ? texts.notConnectedQueued(queued) : texts.notConnected
}
