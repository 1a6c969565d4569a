/** Loads a user's months anew whenever the service says that something has changed. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { OPENED, openStream } from '../../api/events'
import { timesKey } from './useMonth'

/** Returns whether the stream is open. */
export function useLiveTimes(userId: string): boolean {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const close = openStream({
      path: `/api/users/${userId}/times/stream`,
      onState: setOpen,
      onEvent: event => {
        if (event.type === 'times_update' || event === OPENED) {
          void queries.invalidateQueries({ queryKey: timesKey(userId) })
        }
      },
    })
    return () => {
      close()
      setOpen(false)
    }
  }, [userId, queries])
  return open
}
