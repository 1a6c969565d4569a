/** Loads a user's months anew whenever the service says that something has changed. */
import { useFollow } from '../../patterns/useFollow'
import { timesKey } from './useMonth'

/** Leave and illness count, too: work on them is flagged. Returns whether the stream is open. */
export const useLiveTimes = (userId: string) =>
  useFollow(['times_update', 'plan_update'], { queryKey: timesKey(userId) })
