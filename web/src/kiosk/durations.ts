/** Minutes as the clock says them. */
import { hoursMinutes } from '../ui/durations'

export { hoursMinutes }

/** "+4h 10m", "−0h 25m" */
export function balance(minutes: number): string {
  return minutes > 0 ? `+${hoursMinutes(minutes)}` : hoursMinutes(minutes)
}
