/** "Heute": who is there, what waits for a decision, what is wrong with the clocks; each band only where the company has it. */
import { useToday } from '../../entities/today/useToday'
import { Page } from '../../patterns/Page'
import { Served } from '../../patterns/Served'
import { dayOf, longDay } from '../../ui/days'
import { SkeletonRows } from '../../ui/states'
import { useNow } from '../../ui/useNow'
import type { PageProps } from '../feature'
import { Decisions } from './Decisions'
import { Technics } from './Technics'
import { texts } from './texts'
import { Who } from './Who'

const MINUTE_MS = 60_000

export function TodayPage({ session: { companyId } }: PageProps) {
  const query = useToday(companyId)
  const day = dayOf(useNow(MINUTE_MS))
  return (
    <Page title={texts.title} lead={longDay(day)}>
      <Served query={query} failed={texts.failed} skeleton={<SkeletonRows rows={6} />}>
        {today => (
          <>
            {today.present != null && <Who today={today} />}
            <Decisions companyId={companyId} today={today} />
            <Technics companyId={companyId} today={today} />
          </>
        )}
      </Served>
    </Page>
  )
}
