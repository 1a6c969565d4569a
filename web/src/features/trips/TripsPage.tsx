/** "Dienstfahrten" of a company: what waits in a month is decided, and all of its trips can be taken along. */
import { PersonLink } from '../../entities/people/PersonLink'
import { DecideList } from '../../patterns/decide/DecideList'
import { MonthPage } from '../../patterns/MonthPage'
import { Served } from '../../patterns/Served'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { Badge, type Tone } from '../../ui/Badge'
import { longDay } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { Check, Clock, Close } from '../../ui/icons'
import { Facts, Section } from '../../ui/layout'
import { EmptyState } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'
import { type Trip, useDecide, useTrips } from './useTrips'

export function TripsPage({ session }: PageProps) {
  const [month, show] = useMonthInAddress()
  const trips = useTrips(session.companyId, month)
  return (
    <MonthPage title={texts.title} lead={texts.lead} month={month} onMonth={show} live={trips.live}>
      <Served query={trips} failed={texts.failed} skeleton={<TableSkeleton columns={COLUMNS} />}>
        {known =>
          known.length === 0 ? (
            <EmptyState sentence={texts.empty} />
          ) : (
            <>
              <Waiting key={month} trips={known.filter(({ status }) => status === 'pending')} />
              <Section title={texts.month(month)} count={known.length}>
                <DataTable
                  caption={texts.month(month)}
                  rows={known}
                  columns={COLUMNS}
                  keyOf={({ id }) => id}
                  csv={texts.file(month)}
                />
              </Section>
            </>
          )
        }
      </Served>
    </MonthPage>
  )
}

function Waiting({ trips }: { trips: readonly Trip[] }) {
  const approve = useDecide('approved')
  const decline = useDecide('declined')
  return (
    <Section title={texts.waiting} count={trips.length}>
      <DecideList
        label={texts.waiting}
        items={trips}
        keyOf={({ id }) => id}
        nameOf={({ username, date }) => texts.nameOf(username, date)}
        row={({ username, date, destination, kilometres }) => (
          <span>
            <strong>{username}</strong>
            <br />
            <span className="muted">{texts.line(date, destination, kilometres)}</span>
          </span>
        )}
        detail={trip => <Detail trip={trip} />}
        actions={() => [
          { key: 'a', label: texts.approve, tone: 'primary', act: approve },
          { key: 'd', label: texts.decline, tone: 'danger', act: decline, needsSentence: true },
        ]}
        failed={texts.decisionFailed}
        empty={<EmptyState sentence={texts.nothingWaits} />}
      />
    </Section>
  )
}

const Detail = ({ trip: { userId, username, date, destination, kilometres, purpose } }: { trip: Trip }) => (
  <>
    <h3>
      <PersonLink userId={userId} username={username} />
    </h3>
    <Facts
      facts={[
        { term: texts.day, value: longDay(date) },
        { term: texts.destination, value: destination },
        { term: texts.kilometres, value: texts.km(kilometres) },
        { term: texts.purpose, value: purpose },
      ]}
    />
  </>
)

const LOOKS: Record<Trip['status'], { tone: Tone; icon: typeof Check }> = {
  pending: { tone: 'warn', icon: Clock },
  approved: { tone: 'in', icon: Check },
  declined: { tone: 'note', icon: Close },
}

function State({ trip }: { trip: Trip }) {
  const { tone, icon: Icon } = LOOKS[trip.status]
  return (
    <>
      <Badge tone={tone} icon={<Icon />}>
        {texts.states[trip.status]}
      </Badge>{' '}
      <span className="muted">{remarkOf(trip)}</span>
    </>
  )
}

const remarkOf = ({ decidedBy, comment }: Trip) => [decidedBy, comment].filter(Boolean).join(': ')

const COLUMNS: readonly Column<Trip>[] = [
  {
    key: 'name',
    head: texts.name,
    names: true,
    sortBy: trip => trip.username,
    cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
  },
  {
    key: 'day',
    head: texts.day,
    sortBy: trip => trip.date,
    text: trip => numericDay(trip.date),
    cell: ({ date }) => (
      <time className="tabular" dateTime={date}>
        {numericDay(date)}
      </time>
    ),
  },
  {
    key: 'destination',
    head: texts.destinationAndPurpose,
    sortBy: trip => trip.destination,
    text: trip => `${trip.destination}: ${trip.purpose}`,
    cell: ({ destination, purpose }) => (
      <>
        {destination} <span className="muted">{purpose}</span>
      </>
    ),
  },
  {
    key: 'kilometres',
    head: texts.kilometres,
    align: 'end',
    sortBy: trip => trip.kilometres,
    cell: trip => <span className="tabular">{texts.km(trip.kilometres)}</span>,
    sum: trips => texts.km(trips.reduce((sum, trip) => sum + trip.kilometres, 0)),
  },
  {
    key: 'state',
    head: texts.state,
    sortBy: trip => texts.states[trip.status],
    text: trip => [texts.states[trip.status], remarkOf(trip)].filter(Boolean).join(', '),
    cell: trip => <State trip={trip} />,
  },
]
