/** "Alarme": current and past alarms of the clocks of all companies. */
import { useState } from 'react'
import { Link } from 'react-router'
import { AlarmSettings } from '../../entities/alarms/AlarmSettings'
import { AlarmTable } from '../../entities/alarms/AlarmTable'
import { texts as alarmTexts } from '../../entities/alarms/texts'
import { useAlarms } from '../../entities/alarms/useAlarms'
import { pageOfClock } from '../../entities/clocks/clocks'
import { useCompanies } from '../../entities/companies/useCompanies'
import { useStopped } from '../../entities/rollouts/useStopped'
import { Older } from '../../patterns/Older'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { Toolbar } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { Select } from '../../ui/Select'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { texts } from './texts'

const FILTERS = [
  { value: 'open' as const, label: texts.open },
  { value: 'all' as const, label: texts.all },
]

export function AlarmsPage() {
  const [filter, show] = useState<'open' | 'all'>('open')
  const alarms = useAlarms(filter === 'open')
  const companies = useCompanies()
  const stopped = useStopped()
  const companyOf = (id: string) =>
    companies.data?.find(company => company.id === id)?.name ?? alarmTexts.nobody
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      offline={texts.offline}
      actions={<AlarmSettings ofOperator />}
    >
      {stopped.map(({ id, version, channel, reason }) => (
        <Notice key={id} tone="error" title={texts.stopped(version, channel)}>
          <p>
            {reason} <Link to="?tab=updates">{texts.toUpdates}</Link>
          </p>
        </Notice>
      ))}
      <Toolbar>
        <Select label={texts.filter} data={FILTERS} value={filter} onChange={show} />
      </Toolbar>
      <QueryView query={alarms.rows} failed={alarmTexts.failed} skeleton={<SkeletonRows rows={4} />}>
        {rows => (
          <AlarmTable
            rows={rows}
            companyOf={companyOf}
            linkOf={pageOfClock}
            empty={<EmptyState sentence={filter === 'open' ? alarmTexts.none : texts.noneYet} />}
          />
        )}
      </QueryView>
      {(alarms.rows.data?.length ?? 0) > 0 && (
        <Older list={alarms.list} texts={{ ...texts, failed: alarmTexts.failed }} />
      )}
    </Page>
  )
}
