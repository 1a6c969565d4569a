/** The page of the user's duties. */
import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '../../api/session'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { prepareStored } from '../../patterns/useStored'
import { currentDay } from '../../ui/days'
import type { PageProps } from '../feature'
import { SchedulePage } from './SchedulePage'
import { dutiesAhead } from './usePlan'

/** Prefetches the page's first queries. */
export const prepare = (queries: QueryClient, session: Session) =>
  prepareStored(queries, dutiesAhead(session, currentDay()))

export function MySchedule({ session }: PageProps) {
  const [month, show] = useMonthInAddress()
  return <SchedulePage session={session} month={month} onMonth={show} />
}
