/** Days of company holidays excluded from leave. Pure. */
import { addDays } from '../../ui/days'

/** Missing in data stored by an older release. */
export interface LeavesOut {
  leftOut?: readonly { startDate: string; endDate: string }[] | undefined
}

export const holdsDay = ({ leftOut = [] }: LeavesOut, day: string) =>
  !leftOut.some(({ startDate, endDate }) => startDate <= day && day <= endDate)

/** Whether it includes a day from `first` to `last`. */
export function holdsSome(
  leave: LeavesOut & { startDate: string; endDate: string },
  first: string,
  last: string,
): boolean {
  const end = last < leave.endDate ? last : leave.endDate
  let day = first > leave.startDate ? first : leave.startDate
  while (day <= end && !holdsDay(leave, day)) day = addDays(day, 1)
  return day <= end
}
