/** The table in each of its states: sorted, with a row's menu, without a match; as cards on phones. */
import type { ComponentProps } from 'react'
import { LockedBadge, RoleBadge, searchOfPeople } from '../../entities/people/parts'
import type { User } from '../../entities/people/people'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { hoursMinutes } from '../../ui/durations'
import { Key, Lock, Pencil } from '../../ui/icons'
import { RowMenu } from '../../ui/RowMenu'
import { EmptyState } from '../../ui/states'
import { Table } from '../../ui/Table'
import { PEOPLE } from '../data'
import { Acts, Row } from '../parts'
import { noop, press, type Specimen, type } from '../specimen'

export const title = 'Tabellen'

const COLUMNS: readonly Column<User>[] = [
  {
    key: 'name',
    head: 'Name',
    names: true,
    sortBy: user => user.username,
    cell: user => (
      <Row>
        {user.username}
        {user.isLocked === true && <LockedBadge />}
      </Row>
    ),
  },
  { key: 'tag', head: 'Tag-ID', sortBy: user => user.tagId ?? '', cell: user => user.tagId ?? 'Kein Tag' },
  { key: 'role', head: 'Rolle', cell: user => <RoleBadge user={user} /> },
  {
    key: 'stamps',
    head: 'Stempel',
    align: 'end',
    sortBy: user => user.username.length,
    cell: user => user.username.length * 7,
  },
  {
    key: 'acts',
    head: 'Aktionen',
    acts: true,
    cell: user => (
      <Acts>
        <Button icon={<Pencil size={18} />} aria-label={`${user.username} bearbeiten`}>
          Bearbeiten
        </Button>
        <RowMenu
          name={user.username}
          entries={[
            { label: 'Passwort zurücksetzen', icon: <Key size={18} />, onPress: noop },
            { label: 'Sperren', icon: <Lock size={18} />, onPress: noop },
          ]}
        />
      </Acts>
    ),
  },
]

const people = (
  caption: string,
  rows: readonly User[],
  more: Partial<ComponentProps<typeof DataTable<User>>> = {},
) => (
  <DataTable
    caption={caption}
    rows={rows}
    columns={COLUMNS}
    keyOf={user => user.id}
    sortedBy="name"
    {...more}
  />
)

interface Worked {
  name: string
  days: readonly number[]
}

const WORKED: readonly Worked[] = PEOPLE.map(({ username }, index) => ({
  name: username,
  days: Array.from({ length: 30 }, (_, day) =>
    (day + index) % 7 < 5 ? 450 + ((day * 13 + index * 7) % 60) : 0,
  ),
}))

const sumOf = (minutes: readonly number[]) => minutes.reduce((sum, each) => sum + each, 0)

const MONTH: readonly Column<Worked>[] = [
  { key: 'name', head: 'Name', names: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
  ...Array.from(
    { length: 30 },
    (_, day): Column<Worked> => ({
      key: String(day),
      head: `${day + 1}.`,
      align: 'end',
      cell: ({ days }) => hoursMinutes(days[day] ?? 0),
      sum: rows => hoursMinutes(sumOf(rows.map(({ days }) => days[day] ?? 0))),
    }),
  ),
]

const HOURS: readonly Column<Worked>[] = [
  ...MONTH.slice(0, 1),
  {
    key: 'month',
    head: 'November',
    align: 'end',
    sortBy: ({ days }) => sumOf(days),
    cell: ({ days }) => hoursMinutes(sumOf(days)),
    sum: rows => hoursMinutes(sumOf(rows.flatMap(({ days }) => days))),
  },
]

export const specimens: readonly Specimen[] = [
  { name: 'Sortiert', render: () => people('Alle', PEOPLE) },
  {
    name: 'Das Menü einer Zeile',
    room: 360,
    render: () => people('Mit Menü', PEOPLE.slice(0, 2)),
    act: press('[aria-haspopup=menu]'),
  },
  {
    name: 'Nichts gefunden',
    render: () => people('Gesucht', PEOPLE, { search: searchOfPeople }),
    act: type('input', 'Quentin'),
  },
  {
    name: 'Gruppen, Summen, Einzelheiten, als CSV',
    render: () => (
      <DataTable
        caption="Stunden"
        rows={WORKED}
        columns={HOURS}
        keyOf={({ name }) => name}
        groupOf={({ name }) => (name.includes(' ') ? 'Werkstatt' : 'Büro')}
        details={({ name }) => <p>Was {name} wann gearbeitet hat.</p>}
        csv="stunden"
      />
    ),
    act: press('[aria-expanded=false]'),
  },
  {
    name: 'Eines für viele',
    render: () =>
      people('Zum Auswählen', PEOPLE, {
        search: searchOfPeople,
        many: {
          label: count => `${count} sperren`,
          icon: <Lock size={18} />,
          act: noop,
          can: user => user.role === 'user',
        },
      }),
    act: press('[aria-label="Alle auswählen"], [aria-label^="Auswählen"]:not(:disabled)'),
  },
  {
    name: 'Ein Monat in einem eigenen Rahmen',
    render: () => (
      <DataTable
        caption="November"
        rows={WORKED}
        columns={MONTH}
        keyOf={({ name }) => name}
        scrolls
        room={641}
      />
    ),
  },
  {
    name: 'Ohne Zeilen, und unterwegs',
    render: () => (
      <>
        {people('Leer', [], { empty: <EmptyState sentence="Noch ist niemand angelegt." /> })}
        <TableSkeleton columns={COLUMNS} />
      </>
    ),
  },
  {
    name: 'Eine Tabelle von Hand',
    render: () => (
      <Table caption="Tage">
        <thead>
          <tr>
            <th scope="col">Tag</th>
            <th scope="col">Zeiten</th>
          </tr>
        </thead>
        <tbody>
          {['18.11.', '19.11.', '20.11.'].map(day => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td className="tabular">07:58 – 16:31</td>
            </tr>
          ))}
        </tbody>
      </Table>
    ),
  },
]
