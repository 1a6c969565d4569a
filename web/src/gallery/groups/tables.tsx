/** The table: sorted, with a row's menu, where nothing is found; on a phone as cards. */
import { LockedBadge, RoleBadge } from '../../entities/people/parts'
import { matches, type User } from '../../entities/people/people'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { useSearch } from '../../patterns/useSearch'
import { Button } from '../../ui/Button'
import { SearchInput } from '../../ui/fields'
import { Key, Lock, Pencil } from '../../ui/icons'
import { RowMenu } from '../../ui/RowMenu'
import { EmptyState } from '../../ui/states'
import { Table } from '../../ui/Table'
import { PEOPLE } from '../data'
import { Acts, Narrow, Row } from '../parts'
import { nothing, press, type Specimen, type } from '../specimen'

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
            { label: 'Passwort zurücksetzen', icon: <Key size={18} />, onPress: nothing },
            { label: 'Sperren', icon: <Lock size={18} />, onPress: nothing },
          ]}
        />
      </Acts>
    ),
  },
]

function Searched() {
  const search = useSearch(PEOPLE, matches)
  return (
    <>
      <Narrow>
        <SearchInput label="Person suchen" value={search.words} onChange={search.onWords} />
      </Narrow>
      {search.found.length === 0 ? (
        <EmptyState
          sentence="Niemand mit diesem Namen oder Tag."
          action={<Button onClick={search.clear}>Alle zeigen</Button>}
        />
      ) : (
        <DataTable caption="Gesucht" rows={search.found} columns={COLUMNS} keyOf={user => user.id} />
      )}
    </>
  )
}

const people = (caption: string, rows: readonly User[]) => (
  <DataTable caption={caption} rows={rows} columns={COLUMNS} keyOf={user => user.id} sortedBy="name" />
)

export const specimens: readonly Specimen[] = [
  { name: 'Sortiert', render: () => people('Alle', PEOPLE) },
  {
    name: 'Das Menü einer Zeile',
    room: 360,
    render: () => people('Mit Menü', PEOPLE.slice(0, 2)),
    act: press('[aria-haspopup=menu]'),
  },
  { name: 'Nichts gefunden', render: () => <Searched />, act: type('input', 'Quentin') },
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
