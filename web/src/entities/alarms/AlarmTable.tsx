/** Alarms in a table, with acknowledgement. `companyOf`: for alarms of several companies. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { momentOf } from '../../ui/days'
import { ErrorNotice } from '../../ui/Notice'
import { texts } from './texts'
import { type Alarm, type ServiceKind, useAcknowledge } from './useAlarms'

const isOfService = (kind: Alarm['kind']): kind is ServiceKind => kind in texts.ofService
const WORDS: Readonly<Record<string, string>> = { ...texts.kinds, ...texts.ofService }
export const wordsOf = ({ kind }: Pick<Alarm, 'kind'>): string => WORDS[kind] ?? texts.otherKind
export const nameOf = ({ deviceName, kind }: Pick<Alarm, 'deviceName' | 'kind'>) =>
  deviceName ?? (isOfService(kind) ? texts.service : kind === 'withdrawn' ? texts.clocks : texts.allClocks)
const momentText = (instant: string) => texts.at(momentOf(new Date(instant)))

interface AlarmTableProps {
  rows: readonly Alarm[]
  companyOf?: (companyId: string) => string
  /** The link to a clock's own page, if available. */
  linkOf?: (deviceId: string) => string
  tools?: ReactNode
  empty?: ReactNode
}

export function AlarmTable({ rows, companyOf, linkOf, ...more }: AlarmTableProps) {
  const acting = useAcknowledge()
  const acknowledge = async (alarm: Alarm) => {
    if ((await acting.run(alarm.id)) !== null) succeed(texts.acknowledged)
  }
  const columns: Column<Alarm>[] = [
    {
      key: 'clock',
      head: texts.clock,
      cell: alarm =>
        linkOf === undefined || alarm.deviceId === null ? (
          nameOf(alarm)
        ) : (
          <Link to={linkOf(alarm.deviceId)}>{nameOf(alarm)}</Link>
        ),
      sortBy: nameOf,
      names: true,
    },
    {
      key: 'kind',
      head: texts.kind,
      cell: alarm => (
        <>
          {wordsOf(alarm)}
          {alarm.hint !== null && <p className="muted">{alarm.hint}</p>}
        </>
      ),
      text: wordsOf,
      sortBy: wordsOf,
    },
    ...(companyOf === undefined
      ? []
      : [
          {
            key: 'company',
            head: texts.company,
            cell: ({ companyId }: Alarm) => companyOf(companyId),
            sortBy: ({ companyId }: Alarm) => companyOf(companyId),
          },
        ]),
    { key: 'since', head: texts.since, cell: ({ since }) => momentText(since), sortBy: ({ since }) => since },
    {
      key: 'until',
      head: texts.until,
      cell: ({ until }) => (until === null ? texts.still : momentText(until)),
      sortBy: ({ until }) => until ?? '',
    },
    {
      key: 'seen',
      head: texts.seenBy,
      cell: ({ acknowledgedBy }) => acknowledgedBy ?? texts.nobody,
      sortBy: ({ acknowledgedBy }) => acknowledgedBy ?? '',
    },
    {
      key: 'act',
      head: texts.actions,
      acts: true,
      cell: alarm =>
        alarm.acknowledgedBy === null &&
        alarm.until === null && (
          <Button
            aria-label={texts.acknowledgeOf(nameOf(alarm), wordsOf(alarm))}
            disabled={acting.busy}
            onClick={() => void acknowledge(alarm)}
          >
            {texts.acknowledge}
          </Button>
        ),
    },
  ]
  return (
    <>
      <ErrorNotice failure={acting.failure} />
      <DataTable caption={texts.title} rows={rows} columns={columns} keyOf={({ id }) => id} {...more} />
    </>
  )
}
