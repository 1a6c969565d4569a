/** Decided leave, and absences by their reports, each with its remaining actions. */
import { useState } from 'react'
import { reportsOf } from '../../entities/absences/reports'
import { PersonLink } from '../../entities/people/PersonLink'
import { Older } from '../../patterns/Older'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useFollow } from '../../patterns/useFollow'
import { usePages } from '../../patterns/usePages'
import { Button } from '../../ui/Button'
import { Buttons } from '../../ui/layout'
import { RowMenu } from '../../ui/RowMenu'
import { Select } from '../../ui/Select'
import { EmptyState } from '../../ui/states'
import { ABSENCES, LEAVE, LIVE, nameOfLeave } from './calls'
import { Dialogs, type Opening } from './DecidedDialogs'
import { Note } from './Note'
import type { PartProps } from './parts'
import type { Leave, Report } from './rows'
import { texts } from './texts'

const FILTERS = [
  'approved',
  'cancel_requested',
  'declined',
  'cancelled',
  'excused',
  'refused',
  'withdrawn',
] as const
type Filter = (typeof FILTERS)[number]
const A_PAGE = 50
/** The absences' status, by filter; the other filters are for leave. */
const OF_ABSENCES = { excused: 'excused', refused: 'declined', withdrawn: 'cancelled' } as const

/** Links lead to all absences with the same decision. */
const filterOf = (status: string | undefined): Filter =>
  FILTERS.find(
    filter => status !== undefined && OF_ABSENCES[filter as keyof typeof OF_ABSENCES] === status,
  ) ?? 'approved'

export function Decided({ companyId, item }: PartProps) {
  const [filter, setFilter] = useState(() => filterOf(item))
  const [opening, open] = useState<Opening | null>(null)
  const absences = OF_ABSENCES[filter as keyof typeof OF_ABSENCES]
  const props = { companyId, open }
  return (
    <>
      <Select
        label={texts.filter}
        value={filter}
        onChange={setFilter}
        data={FILTERS.map(value => ({ value, label: texts.filters[value] }))}
        allowDeselect={false}
      />
      {absences === undefined ? (
        <DecidedLeave key={filter} {...props} status={filter as Exclude<Filter, keyof typeof OF_ABSENCES>} />
      ) : (
        <DecidedAbsences key={filter} {...props} status={absences} />
      )}
      {opening !== null && <Dialogs opening={opening} onClose={() => open(null)} />}
    </>
  )
}

interface ListProps<Status> {
  companyId: string
  status: Status
  open: (opening: Opening) => void
}

const PERSON_COLUMN: Column<{ userId: string; username: string }> = {
  key: 'who',
  head: texts.who,
  names: true,
  sortBy: ({ username }) => username,
  cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
}

function DecidedLeave({
  companyId,
  status,
  open,
}: ListProps<'approved' | 'cancel_requested' | 'declined' | 'cancelled'>) {
  const { list, rows } = usePages(LEAVE, { path: { companyId }, query: { status, limit: A_PAGE } })
  useFollow(LIVE.live, { queryKey: [LEAVE] })
  const columns: Column<Leave>[] = [
    PERSON_COLUMN,
    {
      key: 'what',
      head: texts.what,
      sortBy: ({ kind }) => texts.leaveKinds[kind],
      cell: ({ kind, cancelRequested }) =>
        `${texts.leaveKinds[kind]}${cancelRequested ? `, ${texts.cancelWish}` : ''}`,
    },
    { key: 'days', head: texts.days, sortBy: ({ startDate }) => startDate, cell: texts.spanWithHalves },
    {
      key: 'costs',
      head: texts.costs,
      align: 'end',
      sortBy: ({ days }) => days,
      cell: ({ kind, days }) => (kind === 'vacation' ? texts.daysOf(days) : ''),
    },
    {
      key: 'by',
      head: texts.decidedBy,
      sortBy: ({ decidedBy }) => decidedBy ?? '',
      cell: ({ decidedBy, comment }) => [decidedBy, comment].filter(said => said !== null).join(': '),
    },
  ]
  const acts: Column<Leave> = {
    key: 'acts',
    head: texts.actions,
    acts: true,
    cell: leave => (
      <Buttons>
        <Act what={texts.move} of={nameOfLeave(leave)} onPress={() => open({ what: 'move', leave })} />
        <RowMenu
          name={nameOfLeave(leave)}
          entries={[
            { label: texts.cancel, onPress: () => open({ what: 'cancel', leave }) },
            ...(leave.cancelRequested
              ? [{ label: texts.keep, onPress: () => open({ what: 'keep', leave }) }]
              : []),
          ]}
        />
      </Buttons>
    ),
  }
  const stands = status === 'approved' || status === 'cancel_requested'
  return (
    <QueryView query={rows} failed={texts.requestsFailed} skeleton={<TableSkeleton columns={columns} />}>
      {known => (
        <DataTable
          caption={texts.filters[status]}
          rows={known}
          columns={stands ? [...columns, acts] : columns}
          keyOf={({ id }) => id}
          empty={<EmptyState sentence={texts.noneDecided} />}
          older={<Older list={list} texts={{ ...texts, failed: texts.requestsFailed }} />}
        />
      )}
    </QueryView>
  )
}

const nameOfReport = ({ username, first, last }: Report) => `${username}, ${texts.span(first, last)}`

function DecidedAbsences({ companyId, status, open }: ListProps<'excused' | 'declined' | 'cancelled'>) {
  const { list, rows } = usePages(ABSENCES, { path: { companyId }, query: { status, limit: A_PAGE } })
  useFollow(LIVE.live, { queryKey: [ABSENCES] })
  const columns: Column<Report>[] = [
    PERSON_COLUMN,
    {
      key: 'what',
      head: texts.what,
      sortBy: ({ days: [day] }) => day.kind,
      cell: ({ days: [day] }) =>
        [
          day.reason ?? texts.absenceKinds[day.kind],
          day.certified && texts.certified,
          day.kind === 'special' && !day.credited && texts.unpaid,
        ]
          .filter(Boolean)
          .join(', '),
    },
    {
      key: 'days',
      head: texts.days,
      sortBy: ({ first }) => first,
      cell: ({ first, last, days }) => `${texts.span(first, last)} (${texts.daysOf(days.length)})`,
    },
    {
      key: 'note',
      head: texts.note,
      cell: ({ days }) => {
        const noted = days.find(({ sickNotePath }) => sickNotePath !== null)
        return noted === undefined ? '' : <Note id={noted.id} />
      },
    },
    { key: 'message', head: texts.message, cell: ({ messages }) => messages.join('\n') },
    { key: 'said', head: texts.comment, cell: ({ days: [{ comment }] }) => comment },
  ]
  const acts: Column<Report> = {
    key: 'acts',
    head: texts.actions,
    acts: true,
    cell: report => (
      <Buttons>
        {report.days[0].kind !== 'special' && (
          <Act
            what={texts.reopen}
            of={nameOfReport(report)}
            onPress={() => open({ what: 'reopen', report })}
          />
        )}
        {status === 'excused' && (
          <Act
            what={texts.cancel}
            of={nameOfReport(report)}
            onPress={() => open({ what: 'cancelAbsence', report })}
          />
        )}
      </Buttons>
    ),
  }
  return (
    <QueryView query={rows} failed={texts.absencesFailed} skeleton={<TableSkeleton columns={columns} />}>
      {known => (
        <DataTable
          caption={texts.absenceFilters[status]}
          rows={reportsOf(known)}
          columns={status === 'cancelled' ? columns : [...columns, acts]}
          keyOf={({ id }) => id}
          empty={<EmptyState sentence={texts.noneDecided} />}
          older={<Older list={list} texts={{ ...texts, failed: texts.absencesFailed }} />}
        />
      )}
    </QueryView>
  )
}

function Act({ what, of, onPress }: { what: string; of: string; onPress: () => void }) {
  return (
    <Button look="plain" aria-haspopup="dialog" aria-label={texts.actOf(what, of)} onClick={onPress}>
      {what}
    </Button>
  )
}
