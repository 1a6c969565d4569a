/**
 * "Heute": presence, items that wait for a decision, and clocks with problems; each section only if the company has the
 * module.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '../../api/session'
import { askedToday, useToday } from '../../entities/today/useToday'
import { fetched, withMantine } from '../../patterns/fetched'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { dayOf, longDay } from '../../ui/days'
import { SkeletonRows } from '../../ui/states'
import { useNow } from '../../ui/useNow'
import type { PageProps } from '../feature'
import { SystemAlerts } from './SystemAlerts'
import { texts } from './texts'
import { WhoIsPresent } from './WhoIsPresent'

/** Includes the code of their dialogs: the list of people does not wait for it. */
const Decisions = fetched(
  withMantine(async () => (await import('./Decisions')).Decisions),
  <SkeletonRows rows={6} />,
)

const MINUTE_MS = 60_000

/** Prefetches the page's first queries. */
export const prepare = (queries: QueryClient, { companyId }: Session) =>
  void queries.prefetchQuery(askedToday(companyId))

export function TodayPage({ session: { companyId } }: PageProps) {
  const query = useToday(companyId)
  const day = dayOf(useNow(MINUTE_MS))
  useEffect(Decisions.prepare, [])
  return (
    <Page title={texts.title} lead={longDay(day)}>
      <QueryView query={query} failed={texts.failed} skeleton={<SkeletonRows rows={6} />}>
        {today => (
          <>
            {today.present != null && <WhoIsPresent today={today} />}
            <Decisions companyId={companyId} today={today} at={query.dataUpdatedAt} />
            <SystemAlerts companyId={companyId} today={today} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
