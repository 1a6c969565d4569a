/** "Anwesende Mitarbeiter": planned people who are present, planned people who are missing, and unplanned ones. */
import { Fragment } from 'react'
import { useSearchParams } from 'react-router'
import type { components } from '../../api/schema'
import { PersonLink } from '../../entities/people/PersonLink'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useGet } from '../../patterns/useGet'
import { Badge, type Tone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { DayInput } from '../../ui/dates'
import { currentDay } from '../../ui/days'
import { Alert, Check, Question, Refresh } from '../../ui/icons'
import { Section, Toolbar } from '../../ui/layout'
import type { PageProps } from '../feature'
import { texts } from './texts'

type Attendance = components['schemas']['DayAttendance']
type Person = components['schemas']['UnexpectedPerson']

const LIVE = ['times_update', 'plan_update'] as const

export function PresentPage({ session }: PageProps) {
  const [day, show] = useDay()
  const query = useGet(
    '/api/companies/{id}/attendance',
    { path: { id: session.companyId }, query: { date: day } },
    { live: LIVE },
  )
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Toolbar>
        <DayInput label={texts.day} value={day} onChange={show} clearable={false} />
        <Button icon={<Refresh size={18} />} busy={query.isFetching} onClick={() => void query.refetch()}>
          {texts.refresh}
        </Button>
      </Toolbar>
      <QueryView
        query={query}
        failed={texts.failed}
        skeleton={<TableSkeleton columns={columnsFor('here')} />}
      >
        {attendance => <Lists attendance={attendance} />}
      </QueryView>
    </Page>
  )
}

/** The day in the address; by default today, which the address omits. */
function useDay(): [day: string, show: (day: string) => void] {
  const [search, setSearch] = useSearchParams()
  const today = currentDay()
  const wantedDay = search.get('tag') ?? ''
  const show = (day: string) =>
    setSearch(previous => {
      const next = new URLSearchParams(previous)
      if (day === '' || day === today) next.delete('tag')
      else next.set('tag', day)
      return next
    })
  return [/^\d{4}-\d{2}-\d{2}$/.test(wantedDay) ? wantedDay : today, show]
}

function Lists({ attendance: { expected, unexpected } }: { attendance: Attendance }) {
  return (
    <>
      <People kind="here" people={expected.filter(person => person.clockedIn === true)} />
      <NotDue people={expected.filter(person => person.clockedIn === null)} />
      <People kind="missing" people={expected.filter(person => person.clockedIn === false)} />
      <People kind="unexpected" people={unexpected} />
    </>
  )
}

type Kind = 'here' | 'missing' | 'unexpected'

const LISTS: Record<Kind, { title: string; none: string; badge: string; tone: Tone; icon: typeof Check }> = {
  here: { title: texts.here, none: texts.noneHere, badge: texts.isHere, tone: 'in', icon: Check },
  missing: {
    title: texts.missing,
    none: texts.noneMissing,
    badge: texts.isMissing,
    tone: 'warn',
    icon: Alert,
  },
  unexpected: {
    title: texts.unexpected,
    none: texts.noneUnexpected,
    badge: texts.isUnexpected,
    tone: 'note',
    icon: Question,
  },
}

function People({ kind, people }: { kind: Kind; people: readonly Person[] }) {
  const { title, none } = LISTS[kind]
  return (
    <Section title={title} count={people.length}>
      <DataTable
        caption={title}
        rows={people}
        columns={columnsFor(kind)}
        keyOf={person => person.userId}
        sortedBy="name"
        even
        empty={<p className="muted">{none}</p>}
      />
    </Section>
  )
}

/** People whose duty has not begun are neither present nor missing. */
function NotDue({ people }: { people: readonly Person[] }) {
  if (people.length === 0) return null
  return (
    <p className="muted">
      {texts.notDue}{' '}
      {people.map((person, index) => (
        <Fragment key={person.userId}>
          {index > 0 && ', '}
          <PersonLink userId={person.userId} username={person.username} /> {texts.notDueAt(timesOf(person))}
        </Fragment>
      ))}
    </p>
  )
}

const timesOf = ({ start, end }: Person) =>
  start === null && end === null ? texts.untimed : `${start ?? texts.open}–${end ?? texts.open}`

function columnsFor(kind: Kind): Column<Person>[] {
  const { badge, tone, icon: Icon } = LISTS[kind]
  return [
    {
      key: 'name',
      head: texts.name,
      names: true,
      sortBy: person => person.username,
      cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
    },
    {
      key: 'times',
      head: texts.times,
      sortBy: person => person.start ?? '',
      cell: person => <span className="tabular">{timesOf(person)}</span>,
    },
    {
      key: 'state',
      head: texts.state,
      cell: () => (
        <Badge tone={tone} icon={<Icon />}>
          {badge}
        </Badge>
      ),
    },
  ]
}
