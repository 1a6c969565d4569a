/** "Mitarbeiterkosten einsehen": a month by person, the twelve months of its year, and the rates. */

import { PersonLink } from '../../entities/people/PersonLink'
import { usePeople } from '../../entities/people/usePeople'
import { MonthPage } from '../../patterns/MonthPage'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { Badge } from '../../ui/Badge'
import { Alert, Clock } from '../../ui/icons'
import { Card, Section } from '../../ui/layout'
import { yearOf } from '../../ui/months'
import { Notice } from '../../ui/Notice'
import { EmptyState, Skeleton } from '../../ui/states'
import type { PageProps } from '../feature'
import { ConfigForm } from './ConfigForm'
import { texts } from './texts'
import { type Item, type MonthCosts, useConfig, useMonth, useYear } from './useCosts'
import { Year } from './Year'

export function CostsPage({ session: { companyId } }: PageProps) {
  const [month, show] = useMonthInAddress()
  const costs = useMonth(companyId, month)
  const year = useYear(companyId, yearOf(month))
  const config = useConfig(companyId)
  const people = usePeople(companyId)
  return (
    <MonthPage title={texts.title} lead={texts.lead} month={month} onMonth={show}>
      <QueryView query={costs} failed={texts.failed} skeleton={<TableSkeleton columns={columnsOf([])} />}>
        {known => <Month known={known} minimum={config.data?.minimumWageCents ?? 0} />}
      </QueryView>
      <Card title={texts.year(yearOf(month))}>
        <QueryView query={year} failed={texts.yearFailed} skeleton={<Skeleton height={200} />}>
          {months => <Year months={months} shown={month} />}
        </QueryView>
      </Card>
      <Card title={texts.config} lead={texts.configLead} narrow>
        <QueryView query={config} failed={texts.configFailed} skeleton={<Skeleton height={240} />}>
          {known => (
            <QueryView query={people} failed={texts.configFailed} skeleton={<Skeleton height={240} />}>
              {everybody => (
                <ConfigForm
                  key={JSON.stringify(known)}
                  companyId={companyId}
                  known={known}
                  people={everybody.filter(({ id, role }) => role !== 'admin' && id in known.userDepartments)}
                />
              )}
            </QueryView>
          )}
        </QueryView>
      </Card>
    </MonthPage>
  )
}

function Month({ known, minimum }: { known: MonthCosts; minimum: number }) {
  const { items, month, draft } = known
  const namesOf = (those: readonly Item[]) => those.map(({ username }) => username).join(', ')
  const under = items.filter(({ underMinimumWage }) => underMinimumWage)
  const missing = items.filter(({ missingRate }) => missingRate)
  const wholeItems = items.filter(({ partMonth }) => partMonth)
  return (
    <Section
      title={texts.month(month)}
      badge={
        draft && (
          <Badge tone="note" icon={<Clock />}>
            {texts.draft}
          </Badge>
        )
      }
    >
      {under.length > 0 && (
        <Notice tone="error">
          <p>{texts.underMinimumOf(namesOf(under), minimum)}</p>
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice>
          <p>{texts.missingOf(namesOf(missing))}</p>
        </Notice>
      )}
      {wholeItems.length > 0 && (
        <Notice>
          <p>{texts.wholeOf(namesOf(wholeItems))}</p>
        </Notice>
      )}
      <DataTable
        caption={texts.month(month)}
        rows={items}
        columns={columnsOf(items)}
        keyOf={({ userId }) => userId}
        csv={texts.file(month)}
        empty={<EmptyState sentence={texts.empty} />}
      />
      {items.length > 0 && <p className="muted">{texts.sums}</p>}
    </Section>
  )
}

type Hours = 'hours' | 'nightHours' | 'sundayHours' | 'holidayHours'
const HOURS: readonly [Hours, string][] = [
  ['hours', texts.worked],
  ['nightHours', texts.night],
  ['sundayHours', texts.sunday],
  ['holidayHours', texts.holiday],
]

/** Rare kinds of hours are listed only if they occur. */
function columnsOf(items: readonly Item[]): Column<Item>[] {
  const total = (rows: readonly Item[], of: Hours | 'costCents') =>
    rows.reduce((sum, one) => sum + one[of], 0)
  const worked = HOURS.filter(([of]) => of === 'hours' || items.some(item => item[of] > 0))
  return [
    {
      key: 'name',
      head: texts.name,
      names: true,
      sortBy: item => item.username,
      cell: item => <Name item={item} />,
    },
    ...worked.map(
      ([of, head]): Column<Item> => ({
        key: of,
        head,
        align: 'end',
        sortBy: item => item[of],
        cell: item => <span className="tabular">{texts.hours(item[of])}</span>,
        sum: rows => texts.hours(total(rows, of)),
      }),
    ),
    {
      key: 'rate',
      head: texts.rate,
      align: 'end',
      sortBy: item => item.rateCents,
      text: item => item.rateCents / 100,
      cell: item => (
        <span className="tabular">
          {changedWithin(item) && `${texts.lately} `}
          {texts.rateFor[item.type](item.rateCents)}
        </span>
      ),
    },
    {
      key: 'cost',
      head: texts.cost,
      align: 'end',
      sortBy: item => item.costCents,
      text: item => item.costCents / 100,
      cell: item => (
        <>
          {item.partMonth && <Badge tone="note">{texts.whole}</Badge>}{' '}
          <span className="tabular">{texts.euros(item.costCents)}</span>
        </>
      ),
      sum: rows => texts.euros(total(rows, 'costCents')),
    },
  ]
}

/** The rate, or the department, changed within the month: the costs are computed per day. */
const changedWithin = ({ type, hours, rateCents, costCents }: Item) =>
  type === 'hourly' && Math.abs(hours * rateCents - costCents) > rateCents / 100

function Name({ item: { userId, username, missingRate, underMinimumWage } }: { item: Item }) {
  const wrong = missingRate ? texts.missing : underMinimumWage ? texts.underMinimum : null
  return (
    <>
      <PersonLink userId={userId} username={username} />
      {wrong !== null && (
        <>
          {' '}
          <Badge tone="warn" icon={<Alert />}>
            {wrong}
          </Badge>
        </>
      )}
    </>
  )
}
