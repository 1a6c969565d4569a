/** The validity of the update signatures: each role with its expiry, and the remedy before and after it. */
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Badge } from '../../ui/Badge'
import { dayOf } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { Alert, Check } from '../../ui/icons'
import { Section } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { EmptyState } from '../../ui/states'
import { texts } from './signatureTexts'
import { type Signature, useSignatures } from './useUpdates'

const LOOKS = {
  good: { tone: 'in', icon: <Check size={16} /> },
  soon: { tone: 'warn', icon: <Alert size={16} /> },
  over: { tone: 'warn', icon: <Alert size={16} /> },
  unreadable: { tone: 'warn', icon: <Alert size={16} /> },
  unknown: { tone: 'warn', icon: <Alert size={16} /> },
} as const

const WARNED = ['unknown', 'unreadable', 'over', 'soon'] as const

const nameOf = ({ role }: Signature) => texts.roles[role] ?? role
const endOf = ({ expiresAt }: Signature) =>
  expiresAt === null ? texts.noEnd : numericDay(dayOf(new Date(expiresAt)))

const COLUMNS: readonly Column<Signature>[] = [
  { key: 'role', head: texts.role, cell: nameOf, text: nameOf, names: true },
  { key: 'by', head: texts.by, cell: ({ byService }) => (byService ? texts.service : texts.people) },
  { key: 'end', head: texts.end, cell: endOf, text: endOf },
  {
    key: 'state',
    head: texts.state,
    cell: ({ state }) => <Badge {...LOOKS[state]}>{texts.states[state]}</Badge>,
    text: ({ state }) => texts.states[state],
  },
]

export function Signatures() {
  const signatures = useSignatures()
  return (
    <Section title={texts.title}>
      <QueryView query={signatures} failed={texts.failed} skeleton={<TableSkeleton columns={COLUMNS} />}>
        {rows => (
          <>
            {WARNED.map(state => (
              <Warning key={state} state={state} rows={rows.filter(row => row.state === state)} />
            ))}
            <DataTable
              caption={texts.title}
              rows={rows}
              columns={COLUMNS}
              keyOf={({ role }) => role}
              empty={<EmptyState sentence={texts.empty} />}
            />
          </>
        )}
      </QueryView>
    </Section>
  )
}

/** Each sentence once: while the server's time is in doubt, all roles have the same. */
function Warning({ rows, state }: { rows: readonly Signature[]; state: (typeof WARNED)[number] }) {
  if (rows.length === 0) return null
  const sentences = [...new Set(rows.map(({ text }) => text))]
  return (
    <Notice tone={state === 'soon' ? 'info' : 'error'} title={texts.titles[state]}>
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  )
}
