/** "Arbeitszeiten konfigurieren": the rules for the company's days and weeks; each part is saved separately. */
import { useState } from 'react'
import { useSettings } from '../../entities/settings/useSettings'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { Card } from '../../ui/layout'
import { currentMonth, yearOf } from '../../ui/months'
import { Skeleton, SkeletonRows } from '../../ui/states'
import { YearSteps } from '../../ui/YearSteps'
import type { PageProps } from '../feature'
import { FreeDays } from './FreeDays'
import { OpeningForm } from './OpeningForm'
import { SettingsForm } from './SettingsForm'
import { TargetsForm } from './TargetsForm'
import { texts } from './texts'
import { useFreeDays, useHours, useTargets } from './useHours'

export function HoursPage({ session: { companyId } }: PageProps) {
  const hours = useHours(companyId)
  const targets = useTargets(companyId)
  const settings = useSettings(companyId)
  const [year, setYear] = useState(() => yearOf(currentMonth()))
  const freeDays = useFreeDays(companyId, year)
  return (
    <Page title={texts.title} lead={texts.lead}>
      <QueryView query={hours} failed={texts.failed} skeleton={<SkeletonRows rows={3} height={220} />}>
        {known => (
          <>
            <Card title={texts.opening} lead={texts.openingLead} narrow>
              <OpeningForm key={JSON.stringify(known.openingHours)} companyId={companyId} known={known} />
            </Card>
            <Card title={texts.targets} narrow>
              <QueryView query={targets} failed={texts.failed} skeleton={<Skeleton height={160} />}>
                {people => (
                  <TargetsForm
                    key={JSON.stringify([known.mode, known.uniformWeeklyTargetMinutes, people])}
                    companyId={companyId}
                    known={known}
                    people={people}
                  />
                )}
              </QueryView>
            </Card>
          </>
        )}
      </QueryView>
      <Card title={texts.settings} narrow>
        <QueryView query={settings} failed={texts.failed} skeleton={<Skeleton height={320} />}>
          {known => <SettingsForm key={JSON.stringify(known)} companyId={companyId} known={known} />}
        </QueryView>
      </Card>
      <Card title={texts.freeDaysOf(year)} lead={texts.freeLead}>
        <YearSteps year={year} label={texts.freeDaysOf} onYear={setYear} />
        <QueryView query={freeDays} failed={texts.failed} skeleton={<Skeleton height={120} />}>
          {days => <FreeDays companyId={companyId} year={year} days={days} />}
        </QueryView>
      </Card>
    </Page>
  )
}
