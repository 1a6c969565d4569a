/** "Urlaubskalender": all people's leave and wishes by day of a month; never the reasons. */
import { useMemo, useState } from 'react'
import { PersonLink } from '../../entities/people/PersonLink'
import { MonthPage } from '../../patterns/MonthPage'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { useMonthInAddress } from '../../patterns/useMonthInAddress'
import { byAlphabet } from '../../ui/alphabet'
import { yearOf } from '../../ui/months'
import { Select } from '../../ui/Select'
import { EmptyState, SkeletonRows } from '../../ui/states'
import type { PageProps } from '../feature'
import { texts } from './texts'
import { type Leave, type Person, useLeave, useYear } from './useYear'
import { daysOfMonth, marksOf } from './year'

export function CalendarPage({ session: { companyId } }: PageProps) {
  const [month, setMonth] = useMonthInAddress()
  const people = useYear(companyId, yearOf(month))
  const leave = useLeave(companyId, month)
  return (
    <MonthPage
      title={texts.calendar}
      lead={texts.calendarLead}
      month={month}
      onMonth={setMonth}
      live={leave.live}
    >
      <QueryView query={people} failed={texts.calendarFailed} skeleton={<SkeletonRows rows={6} />}>
        {known => (
          <QueryView query={leave} failed={texts.calendarFailed} skeleton={<SkeletonRows rows={6} />}>
            {rows => <Month month={month} people={known} leave={rows} />}
          </QueryView>
        )}
      </QueryView>
    </MonthPage>
  )
}

function Month({
  month,
  people,
  leave,
}: {
  month: string
  people: readonly Person[]
  leave: readonly Leave[]
}) {
  const [department, setDepartment] = useState('')
  const departments = useMemo(
    () => [...new Set(people.map(person => person.department ?? texts.noDepartment))].sort(byAlphabet),
    [people],
  )
  const columns = useMemo(() => columnsOf(month, leave), [month, leave])
  const shownPeople = people.filter(
    person => department === '' || (person.department ?? texts.noDepartment) === department,
  )
  return (
    <DataTable
      caption={texts.calendar}
      rows={shownPeople}
      columns={columns}
      keyOf={({ userId }) => userId}
      scrolls="dense"
      room={0}
      search={{
        label: texts.search,
        matches: (person, words) => person.username.toLowerCase().includes(words.toLowerCase()),
        nothing: texts.nothingFound,
      }}
      {...(departments.length > 1 && {
        groupOf: (person: Person) => person.department ?? texts.noDepartment,
        tools: (
          <Select
            label={texts.department}
            value={department}
            onChange={setDepartment}
            data={[
              { value: '', label: texts.everybody },
              ...departments.map(value => ({ value, label: value })),
            ]}
          />
        ),
      })}
      empty={<EmptyState sentence={texts.nobody} />}
    />
  )
}

function columnsOf(month: string, leave: readonly Leave[]): Column<Person>[] {
  const marks = marksOf(leave, month)
  const of = ({ userId }: Person, day: string) => marks.get(userId)?.get(day)
  return [
    {
      key: 'name',
      head: texts.name,
      names: true,
      cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
    },
    ...daysOfMonth(month).map(({ day, head, tinted }) => ({
      key: day,
      head,
      tinted,
      cell: (person: Person) => {
        const mark = of(person, day)
        return (
          mark !== undefined && (
            <span role="img" aria-label={texts.meanings[mark]} title={texts.meanings[mark]}>
              {texts.marks[mark]}
            </span>
          )
        )
      },
      sum: (rows: readonly Person[]) =>
        rows.filter(person => ['away', 'half'].includes(of(person, day) ?? '')).length || '',
    })),
  ]
}
