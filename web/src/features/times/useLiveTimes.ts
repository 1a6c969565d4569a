/** Loads a user's months anew whenever the service says that something has changed. */
import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '../../api/live'
import { timesKey } from './useMonth'

/** Returns whether the stream is open. */
export function useLiveTimes(userId: string): boolean {
  const queries = useQueryClient()
  return useLive(['times_update'], () => {
    const which = { queryKey: timesKey(userId) }
    // An answer that is under way may be of before the change, and the first one of a month would not be asked anew.
    void queries.cancelQueries(which).then(() => queries.invalidateQueries(which))
  })
}
