/** The user's sessions: ending one, or all of them. */
import { useState } from 'react'
import { useReachable } from '../../api/connectivity'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { addDays, currentDay, dayOf, momentOf, timeOf } from '../../ui/days'
import { Check } from '../../ui/icons'
import { Buttons, Card, CardList } from '../../ui/layout'
import { SkeletonRows } from '../../ui/states'
import classes from './account.module.css'
import { texts } from './texts'
import { type SessionRow, useEndEverywhere, useEndSession, useSessions } from './useAccount'

export function SessionsCard() {
  const sessions = useSessions()
  const ending = useEndSession()
  const everywhere = useEndEverywhere()
  const [asked, setAsked] = useState<SessionRow | 'everywhere' | null>(null)
  const reachable = useReachable()
  const close = () => setAsked(null)
  return (
    <Card title={texts.sessions} lead={texts.sessionsLead} narrow>
      <QueryView
        query={sessions}
        failed={texts.sessionsFailed}
        skeleton={<SkeletonRows rows={2} height={48} />}
      >
        {rows => <SessionList rows={rows} onEnd={setAsked} />}
      </QueryView>
      <Buttons>
        <Button disabled={!reachable} onClick={() => setAsked('everywhere')}>
          {texts.everywhere}
        </Button>
      </Buttons>
      {asked === 'everywhere' && (
        <ConfirmDialog
          title={texts.everywhereTitle}
          confirm={texts.everywhere}
          acting={everywhere}
          onClose={close}
        >
          <p>{texts.everywhereLead}</p>
        </ConfirmDialog>
      )}
      {asked !== null && asked !== 'everywhere' && (
        <ConfirmDialog
          title={texts.endTitle}
          confirm={texts.endNow}
          acting={ending}
          input={asked.id}
          done={() => succeed(texts.ended)}
          onClose={close}
        >
          <p>{texts.endLead(deviceOf(asked))}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

const deviceOf = ({ device }: SessionRow) => (device === '' ? texts.unknownDevice : device)

interface SessionListProps {
  rows: readonly SessionRow[]
  onEnd: (row: SessionRow) => void
}

function SessionList({ rows, onEnd }: SessionListProps) {
  return (
    <CardList look="plain" items={inOrder(rows)} keyOf={row => row.id}>
      {row => (
        <div className={classes.session}>
          <div>
            <p className={classes.device}>
              {deviceOf(row)}
              {row.current && (
                <Badge tone="in" icon={<Check />}>
                  {texts.thisSession}
                </Badge>
              )}
            </p>
            <p className={classes.when}>{texts.times(when(row.createdAt), when(row.lastSeen))}</p>
          </div>
          {!row.current && (
            <Button aria-label={texts.endOf(deviceOf(row))} onClick={() => onEnd(row)}>
              {texts.end}
            </Button>
          )}
        </div>
      )}
    </CardList>
  )
}

/** The current session first, the others by their last use. */
function inOrder(rows: readonly SessionRow[]): SessionRow[] {
  return [...rows].sort(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeen.localeCompare(a.lastSeen),
  )
}

function when(instant: string): string {
  const moment = new Date(instant)
  const today = currentDay()
  const day = dayOf(moment)
  if (day === today) return texts.todayAt(timeOf(moment))
  if (day === addDays(today, -1)) return texts.yesterdayAt(timeOf(moment))
  return texts.dayAt(momentOf(moment))
}
