/** Where the user is logged in: ending one session, or all of them. */
import { useState } from 'react'
import { sentenceOf } from '../../api/failures'
import { Badge } from '../../ui/Badge'
import { useBanner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { addDays, dayOf, momentOf, timeOf } from '../../ui/days'
import { Check } from '../../ui/icons'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { Card } from './Card'
import classes from './Card.module.css'
import { texts } from './texts'
import { type SessionRow, useEndEverywhere, useEndSession, useSessions } from './useAccount'

export function SessionsCard({ userId }: { userId: string }) {
  const sessions = useSessions(userId)
  const ending = useEndSession(userId)
  const everywhere = useEndEverywhere()
  const [asked, setAsked] = useState<SessionRow | 'everywhere' | null>(null)
  const [banner, say] = useBanner()
  const close = () => {
    setAsked(null)
    ending.reset()
    everywhere.reset()
  }
  const end = async (row: SessionRow) => {
    if ((await ending.run(row.id)) === null) return
    close()
    say(texts.ended)
  }
  return (
    <Card title={texts.sessions} lead={texts.sessionsLead}>
      <SessionList view={sessions} onEnd={setAsked} />
      <div className={classes.buttons}>
        <Button onClick={() => setAsked('everywhere')}>{texts.everywhere}</Button>
      </div>
      {asked === 'everywhere' && (
        <ConfirmDialog
          title={texts.everywhereTitle}
          confirm={texts.everywhere}
          busy={everywhere.busy}
          failure={everywhere.failure}
          onConfirm={() => everywhere.run(undefined)}
          onClose={close}
        >
          <p>{texts.everywhereLead}</p>
        </ConfirmDialog>
      )}
      {asked !== null && asked !== 'everywhere' && (
        <ConfirmDialog
          title={texts.endTitle}
          confirm={texts.endNow}
          busy={ending.busy}
          failure={ending.failure}
          onConfirm={() => end(asked)}
          onClose={close}
        >
          <p>{texts.endLead(deviceOf(asked))}</p>
        </ConfirmDialog>
      )}
      {banner}
    </Card>
  )
}

const deviceOf = ({ device }: SessionRow) => (device === '' ? texts.unknownDevice : device)

interface SessionListProps {
  view: ReturnType<typeof useSessions>
  onEnd: (row: SessionRow) => void
}

function SessionList({ view, onEnd }: SessionListProps) {
  if (view.data === undefined) {
    if (view.error === null) return <ListSkeleton />
    return (
      <ErrorState
        title={texts.sessionsFailed}
        detail={sentenceOf(view.error, texts.sessionsFailed)}
        busy={view.isFetching}
        onRetry={view.refetch}
      />
    )
  }
  return (
    <ul className={classes.sessions}>
      {inOrder(view.data).map(row => (
        <li key={row.id} className={classes.session}>
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
        </li>
      ))}
    </ul>
  )
}

/** The one that asks first, the others by when they were last seen. */
function inOrder(rows: readonly SessionRow[]): SessionRow[] {
  return [...rows].sort(
    (one, other) => Number(other.current) - Number(one.current) || other.lastSeen.localeCompare(one.lastSeen),
  )
}

function when(instant: string): string {
  const moment = new Date(instant)
  const today = dayOf(new Date())
  const day = dayOf(moment)
  if (day === today) return texts.todayAt(timeOf(moment))
  if (day === addDays(today, -1)) return texts.yesterdayAt(timeOf(moment))
  return texts.dayAt(momentOf(moment))
}

function ListSkeleton() {
  return (
    <Loading>
      <div className={classes.skeleton}>
        {[1, 2].map(row => (
          <Skeleton key={row} height={48} />
        ))}
      </div>
    </Loading>
  )
}
