/** A virtual list: its picture is the window, scrolled half way down. */
import { type Column, DataTable } from '../../patterns/table/DataTable'
import type { Specimen } from '../specimen'

export const title = 'Eine lange Tabelle'

interface Stamp {
  number: number
  name: string
}

const NAMES = ['Mia Sommer', 'Finn Maurer', 'Öznur Çelik', 'Ingrid Holm']

const STAMPS: readonly Stamp[] = Array.from({ length: 500 }, (_, index) => ({
  number: index + 1,
  name: NAMES[index % NAMES.length] ?? '',
}))

const COLUMNS: readonly Column<Stamp>[] = [
  { key: 'name', head: 'Name', names: true, sortBy: stamp => stamp.name, cell: stamp => stamp.name },
  { key: 'time', head: 'Zeit', cell: stamp => `${String(stamp.number % 24).padStart(2, '0')}:58` },
  { key: 'number', head: 'Nr.', align: 'end', sortBy: stamp => stamp.number, cell: stamp => stamp.number },
]

export const specimens: readonly Specimen[] = [
  {
    name: '500 Zeilen',
    render: () => (
      <DataTable
        caption="Stempel"
        rows={STAMPS}
        columns={COLUMNS}
        keyOf={stamp => String(stamp.number)}
        sortedBy="number"
      />
    ),
  },
]
