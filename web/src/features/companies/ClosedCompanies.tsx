/** The closed companies: how long their data are kept, and the proof after their erasure. */
import type { components } from '../../api/schema'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { saveAs } from '../../patterns/transfer'
import { useGet } from '../../patterns/useGet'
import { Button } from '../../ui/Button'
import { dayOf } from '../../ui/days'
import { Download } from '../../ui/icons'
import { Section } from '../../ui/layout'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { writtenDay } from '../../ui/writtenDays'
import { texts } from './texts'

type Closed = components['schemas']['ClosedRow']

const dayIn = (instant: string) => writtenDay(dayOf(new Date(instant)))

const COLUMNS: readonly Column<Closed>[] = [
  { key: 'name', head: texts.company, names: true, cell: row => row.name, sortBy: row => row.name },
  { key: 'closed', head: texts.closedAt, cell: row => dayIn(row.closedAt), sortBy: row => row.closedAt },
  {
    key: 'data',
    head: texts.data,
    cell: row =>
      row.purgedAt !== null
        ? texts.purgedOn(dayIn(row.purgedAt))
        : texts.keptUntil(writtenDay(row.purgeOn ?? '')),
    sortBy: row => row.purgedAt ?? row.purgeOn ?? '',
  },
  { key: 'late', head: texts.late, align: 'end', cell: row => row.lateStamps, sortBy: row => row.lateStamps },
  {
    key: 'proof',
    head: texts.proof,
    acts: true,
    cell: row => row.tombstone !== null && <Proof name={row.name} paper={row.tombstone} />,
  },
]

export function ClosedCompanies() {
  const closed = useGet('/api/closed-companies', {})
  return (
    <Section title={texts.closedTitle}>
      <p className="muted">{texts.closedLead}</p>
      <QueryView query={closed} failed={texts.closedFailed} skeleton={<SkeletonRows rows={3} height={40} />}>
        {rows => (
          <DataTable
            caption={texts.closedTitle}
            rows={rows}
            columns={COLUMNS}
            keyOf={row => row.id}
            empty={<EmptyState sentence={texts.closedNone} />}
          />
        )}
      </QueryView>
    </Section>
  )
}

/** The signed bytes, unchanged. */
function Proof({ name, paper }: { name: string; paper: string }) {
  const save = () =>
    saveAs(
      new Blob([paper], { type: 'application/json' }),
      `loeschnachweis-${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.json`,
    )
  return (
    <Button icon={<Download size={18} />} aria-label={texts.proofOf(name)} onClick={save}>
      {texts.proof}
    </Button>
  )
}
