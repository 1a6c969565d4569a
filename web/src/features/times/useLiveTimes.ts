/** Refetches a user's months whenever the service reports a change. */
import { useFollow } from '../../patterns/useFollow'
import { timesKey } from './useMonth'

/** Leave and illness count, too: work during them is flagged. Returns whether the stream is open. */
export const useLiveTimes = (userId: string) =>
  useFollow(['times_update', 'plan_update'], { queryKey: timesKey(userId) })
