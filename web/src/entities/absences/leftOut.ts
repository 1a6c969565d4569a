/** The days of company holidays that leave does not hold. Pure. */
import { addDays } from '../../ui/days'

/** Missing in what an older release stored on the device. */
export interface LeavesOut {
  leftOut?: readonly { startDate: string; endDate: string }[] | undefined
}

export const holdsDay = ({ leftOut = [] }: LeavesOut, day: string) =>
  !leftOut.some(({ startDate, endDate }) => startDate <= day && day <= endDate)

/** Whether it holds some day from `first` to `last`. */
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
