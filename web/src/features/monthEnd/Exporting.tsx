/** The third step: the month's files, earlier files, and later changes. */
import { PersonLink } from '../../entities/people/PersonLink'
import { usePeople } from '../../entities/people/usePeople'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { saveAs } from '../../patterns/transfer'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { numericDay } from '../../ui/dayText'
import { hoursMinutes } from '../../ui/durations'
import { useFocusPassedOn } from '../../ui/focus'
import { Alert, Download, Refresh } from '../../ui/icons'
import { Buttons, Section } from '../../ui/layout'
import { currentMonth } from '../../ui/months'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import { Downloads, useFetching, type Wanted } from './Downloads'
import { EditMapping } from './EditMapping'
import { texts } from './texts'
import {
  type Difference,
  type Kept,
  momentIn,
  PROGRAMS,
  type Program,
  paths,
  useDifference,
  useKept,
} from './useMonthEnd'

/** With more people than this, files are generated in the background, with visible progress. */
const MANY = 100
const FORMATS = ['xlsx', 'csv', 'pdf']
const PAYROLL: readonly string[] = PROGRAMS

interface ExportingProps {
  companyId: string
  month: string
  locked: boolean
  /** The refused files; undefined: unknown. */
  blocked: readonly Program[] | undefined
  /** Whether the button for wage types is here. */
  editable: boolean
}

export function Exporting({ companyId, month, locked, blocked, editable }: ExportingProps) {
  const keptFiles = useKept(companyId)
  const { data: people = [] } = usePeople(companyId)
  // A locked month has stored files, which need no waiting.
  const long = !locked && people.length > MANY
  const [refused, ...others] = blocked ?? []
  const monthFile = (format: string): Wanted => ({
    key: PAYROLL.includes(format) ? `times_${month}_${format}.txt` : `times_${month}.${format}`,
    label: texts.download[format] ?? format,
    path: long ? null : paths.month(companyId, month, format),
    job: { companyId, month, format },
  })
  return (
    <>
      {month >= currentMonth() && <p className="muted">{texts.isDraft}</p>}
      <Downloads
        files={[...FORMATS, ...PROGRAMS.filter(program => blocked?.includes(program) === false)].map(
          monthFile,
        )}
      />
      {refused !== undefined && (
        <p className="muted">
          {texts.blocked(others.length > 0 ? texts.datev : (texts.download[refused] ?? refused))}
        </p>
      )}
      {editable && <EditMapping companyId={companyId} />}
      <div>
        <Button look="plain" icon={<Download size={18} />} onClick={saveDescription}>
          {texts.importDescription}
        </Button>
      </div>
      <QueryView query={keptFiles} failed={texts.keptFailed} skeleton={<SkeletonRows rows={2} height={40} />}>
        {all => {
          const rows = all.filter(row => row.month === month)
          // An up-to-date difference file covers the changes, even if older files are marked as changed.
          const isCovered = rows.some(({ format, changed }) => format === 'difference' && !changed)
          const newest = isCovered ? undefined : rows.find(({ changed, draft }) => changed && !draft)
          return (
            <>
              {newest !== undefined && <Changes companyId={companyId} exportId={newest.id} />}
              <Files companyId={companyId} rows={rows} locked={locked} />
            </>
          )
        }}
      </QueryView>
    </>
  )
}

/** The import description for Lohn und Gehalt. */
const saveDescription = () =>
  saveAs(new Blob(['\ufeff', texts.descriptionText], { type: 'text/plain' }), texts.descriptionName)

const madeAt = ({ createdAt }: Kept) => momentIn(createdAt)
const fileOf = ({ format }: Kept) => texts.download[format] ?? format

function Files({ companyId, rows, locked }: { companyId: string; rows: readonly Kept[]; locked: boolean }) {
  const fetching = useFetching()
  const columns: Column<Kept>[] = [
    { key: 'file', head: texts.file, names: true, sortBy: fileOf, cell: fileOf },
    {
      key: 'at',
      head: texts.made,
      sortBy: ({ createdAt }) => createdAt,
      cell: row => <time dateTime={row.createdAt}>{madeAt(row)}</time>,
    },
    {
      key: 'digest',
      head: texts.digest,
      cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}</code>,
      text: ({ sha256 }) => sha256,
    },
    {
      key: 'state',
      head: texts.state,
      cell: ({ draft, changed, timesGone }) =>
        timesGone ? (
          <Badge>{texts.timesGone}</Badge>
        ) : changed ? (
          <Badge tone="warn" icon={<Alert size={14} />}>
            {texts.outdated}
          </Badge>
        ) : draft ? (
          <Badge>{texts.draft}</Badge>
        ) : (
          texts.current
        ),
    },
    {
      key: 'acts',
      head: texts.actions,
      acts: true,
      cell: row => (
        <Buttons>
          <Button
            icon={<Download size={18} />}
            aria-label={texts.fetchOf(fileOf(row), madeAt(row))}
            onClick={() => fetching.run({ key: row.id, label: '', path: paths.kept(companyId, row.id) })}
          >
            {texts.fetch}
          </Button>
          {locked && PAYROLL.includes(row.format) && (
            <Button
              icon={<Refresh size={18} />}
              aria-label={texts.anewOf(fileOf(row))}
              onClick={() =>
                fetching.run({
                  key: row.id,
                  label: '',
                  path: null,
                  job: { companyId, month: row.month, format: row.format },
                })
              }
            >
              {texts.anew}
            </Button>
          )}
        </Buttons>
      ),
    },
  ]
  return (
    <Section title={texts.kept} count={rows.length}>
      <DataTable
        caption={texts.kept}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState sentence={texts.nothingKept} />}
      />
      {fetching.state}
    </Section>
  )
}

const minutes = (some: number | null) => (some === null ? uiTexts.noFigure : hoursMinutes(some))
const CHANGES: Column<Difference>[] = [
  {
    key: 'person',
    head: texts.person,
    names: true,
    sortBy: ({ username }) => username,
    cell: ({ userId, username }) => <PersonLink userId={userId} username={username} />,
  },
  {
    key: 'date',
    head: texts.day,
    sortBy: ({ date }) => date,
    cell: ({ date }) => <time dateTime={date}>{numericDay(date)}</time>,
  },
  { key: 'kind', head: texts.kind, cell: ({ kind }) => texts.kinds[kind] ?? kind },
  { key: 'before', head: texts.before, align: 'end', cell: ({ before }) => minutes(before) },
  { key: 'after', head: texts.after, align: 'end', cell: ({ after }) => minutes(after) },
  {
    key: 'why',
    head: texts.why,
    cell: ({ reason, at }) => (
      <>
        {texts.whys[reason] ?? reason}
        {at !== null && <span className="muted"> {momentIn(at)}</span>}
      </>
    ),
  },
]

/** Differences from the export, with one button for their file. */
function Changes({ companyId, exportId }: { companyId: string; exportId: string }) {
  const difference = useDifference(companyId, exportId)
  // It disappears with its button, once the file is up to date.
  const box = useFocusPassedOn<HTMLDivElement>()
  return (
    <div ref={box}>
      <QueryView
        query={difference}
        failed={texts.changesFailed}
        skeleton={<SkeletonRows rows={2} height={40} />}
      >
        {rows =>
          rows.length > 0 && (
            <Section title={texts.changes(rows.length)}>
              <DataTable
                caption={texts.changes(rows.length)}
                rows={rows}
                columns={CHANGES}
                keyOf={({ userId, date, kind }) => `${userId} ${date} ${kind}`}
              />
              <Downloads
                files={[
                  { key: exportId, label: texts.fetchChanges, path: paths.difference(companyId, exportId) },
                ]}
              />
            </Section>
          )
        }
      </QueryView>
    </div>
  )
}
