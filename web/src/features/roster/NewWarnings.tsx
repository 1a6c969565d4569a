/** New warnings of the last change, on any day. */
import { Button } from '../../ui/Button'
import { Notice } from '../../ui/Notice'
import classes from './roster.module.css'
import { texts } from './texts'
import type { Roster } from './useRoster'
import { WarningList } from './WarningList'

/** More would cover a phone's screen. */
const MOST_SHOWN = 5

interface NewWarningsProps {
  roster: Roster
  onDay: (day: string) => void
}

export function NewWarnings({ roster, onDay }: NewWarningsProps) {
  const { newWarnings, employees, forgetNewWarnings } = roster
  const moreCount = newWarnings.length - MOST_SHOWN
  return (
    <div className={classes.newWarnings} role="status">
      {newWarnings.length > 0 && (
        <Notice
          title={texts.newWarnings(newWarnings.length)}
          action={<Button onClick={forgetNewWarnings}>{texts.hideWarnings}</Button>}
        >
          <WarningList warnings={newWarnings.slice(0, MOST_SHOWN)} employees={employees} onDay={onDay} />
          {moreCount > 0 && <p>{texts.moreWarnings(moreCount)}</p>}
        </Notice>
      )}
    </div>
  )
}
