/** Loads a user's months anew whenever the service says that something has changed. */
import { useFollow } from '../../patterns/useFollow'
import { timesKey } from './useMonth'

/** Returns whether the stream is open. */
export const useLiveTimes = (userId: string) => useFollow(['times_update'], { queryKey: timesKey(userId) })
