/** A clock without a company: its claim code, so that the right clock is assigned. */

import { StatusBar } from './StatusBar'
import { Trouble, troubleOf } from './Trouble'
import { texts } from './texts'
import classes from './UnassignedScreen.module.css'
import type { View } from './view'

export function UnassignedScreen({ view }: { view: View }) {
  /** A clock that cannot store is repaired before it is assigned. */
  const trouble = troubleOf(view)
  return (
    <main className={classes.screen}>
      <StatusBar view={view} />
      <div className={classes.middle}>
        <h1>{texts.unassigned}</h1>
        {trouble?.look === 'failed' ? (
          <Trouble {...trouble} />
        ) : view.claimCode === null ? (
          <p className={classes.what}>{texts.noClaimCode}</p>
        ) : (
          <>
            <p className={classes.label}>{texts.claimCode}</p>
            <p className={classes.code}>{view.claimCode}</p>
            <p className={classes.what}>{texts.unassignedDo}</p>
          </>
        )}
      </div>
    </main>
  )
}
