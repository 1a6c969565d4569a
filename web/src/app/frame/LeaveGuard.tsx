/** Keeps somebody on a page that holds them (`ui/leaving.ts`): asks about a form, and stays with a secret. */
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { currentSession } from '../../api/session'
import { Discard } from '../../patterns/Discard'
import { held } from '../../ui/leaving'

export function LeaveGuard() {
  // Whoever is logged out has left already.
  const blocker = useBlocker(() => currentSession() !== null && held() !== null)
  const stays = blocker.state === 'blocked' && held() !== 'ask'
  useEffect(() => {
    if (stays) blocker.reset?.()
  }, [stays, blocker])
  if (blocker.state !== 'blocked' || stays) return null
  return <Discard onStay={blocker.reset} onLeave={blocker.proceed} />
}
