/** The frame's parts for logged-in users. It is fetched with the first session, since visitors do not need it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClockAhead } from '../../api/serviceClock'
import type { Session } from '../../api/session'
import { unsentCounts } from '../../offline/unsent'
import { fetched, withMantine } from '../../patterns/fetched'
import { keepSending, useTrouble } from '../../patterns/sending'
import { Button } from '../../ui/Button'
import { keepPush } from '../push'
import { keepFinishing, stayIn, useAsking, useSignOut, useSignOutNow } from '../signOut'
import { texts } from '../texts'
import { AccountMenu, WhoseOnPaper } from './AccountMenu'
import classes from './NavBar.module.css'

const UnsentQuestion = fetched(
  withMantine(async () => (await import('./UnsentQuestion')).UnsentQuestion),
  null,
)

const WrongClock = fetched(async () => (await import('../../patterns/WrongClock')).WrongClock, null)
const Trouble = fetched(async () => (await import('../../patterns/Trouble')).Trouble, null)

/** The navigation bar's part for logged-in users. */
export function OwnBar({ session }: { session: Session }) {
  const leave = useSignOut()
  return (
    <>
      <AccountMenu session={session} />
      <Button className={classes.logout ?? ''} onClick={leave}>
        {texts.logout}
      </Button>
    </>
  )
}

/** Wraps the page: background work of a session. */
export function OwnFrame({ session }: { session: Session }) {
  const queries = useQueryClient()
  useEffect(() => keepSending(() => void queries.invalidateQueries()), [queries])
  useEffect(keepPush, [])
  useEffect(keepFinishing, [])
  return (
    <>
      <WayOut userId={session.userId} />
      <WhoseOnPaper session={session} />
      <OutboxTrouble />
      <ClockTrouble />
    </>
  )
}

/** Asks before a logout that would lose unsent requests. */
function WayOut({ userId }: { userId: string }) {
  const asking = useAsking()
  const leaveNow = useSignOutNow()
  if (!asking) return null
  const ownUnsent = unsentCounts().filter(count => count.userId === userId)
  return <UnsentQuestion own lost={ownUnsent} onGo={leaveNow} onStay={stayIn} />
}

function OutboxTrouble() {
  const [trouble, understand] = useTrouble()
  return trouble.unkept || trouble.lost > 0 ? <Trouble trouble={trouble} onUnderstood={understand} /> : null
}

function ClockTrouble() {
  const ahead = useClockAhead()
  return ahead === 0 ? null : <WrongClock ahead={ahead} />
}
