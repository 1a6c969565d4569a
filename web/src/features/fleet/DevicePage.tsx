/** One clock: its state and history, its owners, its totals. Stamps are counted, but not shown. */

import { useState } from 'react'
import { Link } from 'react-router'
import { AlarmTable } from '../../entities/alarms/AlarmTable'
import { texts as alarmTexts } from '../../entities/alarms/texts'
import { lastSeenText, nameOf, pageOfClock, State, Warnings } from '../../entities/clocks/clocks'
import { wordsOf } from '../../entities/clocks/codeTexts'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { Buttons, Card, Facts, Fold, Section } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { EmptyState, SkeletonRows } from '../../ui/states'
import { useNow } from '../../ui/useNow'
import { type DeviceAction, DeviceDialog } from './DeviceDialogs'
import classes from './fleet.module.css'
import { bandsOf, queueLine, shareOnline } from './history'
import { Acts, factsOf } from './parts'
import { texts } from './texts'
import { texts as updateTexts } from './updateTexts'
import { type Detail, type Moment, type Scanner, useDevice, useHistory } from './useFleet'

export function DevicePage({ id }: { id: string }) {
  const device = useDevice(id)
  const [deed, ask] = useState<DeviceAction | null>(null)
  const clock = device.data
  return (
    <Page
      title={clock === undefined ? texts.title : nameOf(clock)}
      offline={texts.offline}
      actions={<Link to="?tab=registry">{texts.back}</Link>}
    >
      <QueryView query={device} failed={texts.deviceFailed} skeleton={<SkeletonRows rows={3} height={160} />}>
        {detail => (
          <>
            <Withdrawn detail={detail} />
            <Warnings device={detail} told={texts} />
            {detail.withdrawn !== 'decommissioned' && (
              <Buttons>
                {detail.withdrawn === null ? (
                  <Acts device={detail} onAsk={ask} />
                ) : (
                  <>
                    <Button onClick={() => ask('replace')}>{texts.replace}</Button>
                    {detail.companyId !== null && (
                      <Button onClick={() => ask('unassign')}>{texts.unassign}</Button>
                    )}
                    <Button onClick={() => ask('decommission')}>{texts.decommission}</Button>
                  </>
                )}
              </Buttons>
            )}
            <Card title={detail.serial} badge={<State online={detail.isOnline} />}>
              <Facts facts={[...factsOf(detail), ...moreFacts(detail)]} />
            </Card>
            <Alarms detail={detail} />
            <History id={id} />
            <Scanners detail={detail} />
            <Logs detail={detail} />
            <Deliveries detail={detail} />
            <Assignments detail={detail} />
          </>
        )}
      </QueryView>
      {deed !== null && clock !== undefined && (
        <DeviceDialog deed={deed} device={clock} onClose={() => ask(null)} />
      )}
    </Page>
  )
}

function Withdrawn({ detail }: { detail: Detail }) {
  if (detail.withdrawn === null) return null
  return (
    <Notice tone="error" title={texts.withdrawnAs[detail.withdrawn] ?? detail.withdrawn}>
      <p>
        {lastSeenText(detail.withdrawnAt)}
        {detail.withdrawnWhy !== '' && `. ${texts.because(detail.withdrawnWhy)}`}
      </p>
    </Notice>
  )
}

function moreFacts(detail: Detail) {
  const { diskFreeMb, uptimeS, lastError, replaces, replacedBy } = detail
  const { platform, updateState, updateVersion } = detail
  return [
    { term: texts.profile, value: detail.profile || texts.unknown },
    { term: texts.channel, value: detail.channel },
    updateVersion !== null && {
      term: updateTexts.update,
      value: updateTexts.updating(
        updateTexts.updateStates[updateState ?? ''] ?? updateState ?? '',
        updateVersion,
      ),
    },
    platform !== null && { term: updateTexts.platform, value: platform },
    diskFreeMb !== null && { term: texts.disk, value: texts.megabytes(diskFreeMb) },
    uptimeS !== null && { term: texts.uptime, value: texts.hours(uptimeS) },
    { term: texts.enrolled, value: lastSeenText(detail.enrolledAt) },
    replaces.length > 0 && { term: texts.replaces, value: <Related devices={replaces} /> },
    replacedBy.length > 0 && { term: texts.replacedBy, value: <Related devices={replacedBy} /> },
    lastError !== null && {
      term: texts.lastError,
      value: `${lastSeenText(lastError.at)}: ${wordsOf(lastError.code).says} (${lastError.code})`,
    },
  ]
}

const Related = ({ devices }: { devices: Detail['replaces'] }) => (
  <>
    {devices.map(({ id, serial }) => (
      <span key={id}>
        <Link to={pageOfClock(id)}>{serial}</Link>{' '}
      </span>
    ))}
  </>
)

/** An older server sends no alarms. */
function Alarms({ detail }: { detail: Partial<Pick<Detail, 'alarms'>> }) {
  const alarms = detail.alarms ?? []
  return (
    alarms.length > 0 && (
      <Section title={alarmTexts.title} count={alarms.length}>
        <AlarmTable rows={alarms} />
      </Section>
    )
  )
}

function History({ id }: { id: string }) {
  const history = useHistory(id)
  return (
    <Section title={texts.history}>
      <QueryView
        query={history}
        failed={texts.historyFailed}
        skeleton={<SkeletonRows rows={1} height={96} />}
      >
        {moments =>
          moments.length === 0 ? <EmptyState sentence={texts.historyEmpty} /> : <Plot moments={moments} />
        }
      </QueryView>
    </Section>
  )
}

const PERCENT = new Intl.NumberFormat('de-DE', { style: 'percent', maximumFractionDigits: 1 })
const A_MINUTE_MS = 60_000

function Plot({ moments }: { moments: readonly Moment[] }) {
  const now = useNow(A_MINUTE_MS).getTime()
  const bands = bandsOf(moments, now)
  const maximum = Math.max(...moments.map(({ queueDepth }) => queueDepth ?? 0))
  const says = texts.historySays(PERCENT.format(shareOnline(bands)), maximum)
  return (
    <>
      <svg
        className={classes.plot}
        viewBox="0 0 1000 96"
        preserveAspectRatio="none"
        role="img"
        aria-label={says}
      >
        {bands.map(({ from, to, online }) => (
          <rect
            key={from}
            x={from * 1000}
            width={Math.max((to - from) * 1000, 1)}
            y={online ? 66 : 80}
            height={online ? 30 : 16}
            className={online ? classes.online : classes.offline}
          />
        ))}
        {maximum > 0 && <polyline points={queueLine(moments, now, maximum)} className={classes.queue} />}
      </svg>
      <p>{says}</p>
      <Fold line={texts.historyTable}>
        <DataTable
          caption={texts.historyTable}
          rows={[...moments].reverse()}
          columns={MOMENTS}
          keyOf={({ at }) => at}
          csv={texts.history}
        />
      </Fold>
    </>
  )
}

const MOMENTS: readonly Column<Moment>[] = [
  { key: 'at', head: texts.at, cell: ({ at }) => lastSeenText(at), sortBy: ({ at }) => at, names: true },
  {
    key: 'state',
    head: texts.state,
    cell: ({ online }) => (online ? texts.online : texts.away),
    text: ({ online }) => (online ? texts.online : texts.away),
  },
  {
    key: 'queue',
    head: texts.queue,
    cell: ({ queueDepth }) => queueDepth ?? '',
    text: ({ queueDepth }) => queueDepth ?? '',
    align: 'end',
  },
  { key: 'reader', head: texts.reader, cell: ({ reader }) => (reader && texts.readers[reader]) ?? '' },
  { key: 'quality', head: texts.quality, cell: ({ quality }) => (quality && texts.qualities[quality]) ?? '' },
  { key: 'version', head: texts.version, cell: ({ version }) => version ?? '' },
  {
    key: 'disk',
    head: texts.disk,
    cell: ({ diskFreeMb }) => (diskFreeMb === null ? '' : texts.megabytes(diskFreeMb)),
    align: 'end',
  },
]

const Scanners = ({ detail: { scanners } }: { detail: Detail }) =>
  scanners.length > 0 && (
    <Section title={texts.scanners}>
      <DataTable
        caption={texts.scanners}
        rows={scanners}
        columns={SCANNERS}
        keyOf={({ serial }) => serial}
        csv={texts.scanners}
      />
    </Section>
  )

const scannerColumn = (
  key: string,
  head: string,
  text: (scanner: Scanner) => string,
  more: Partial<Column<Scanner>> = {},
): Column<Scanner> => ({ key, head, cell: text, text, ...more })

const SCANNERS: readonly Column<Scanner>[] = [
  scannerColumn('serial', texts.serial, ({ serial }) => serial, { names: true }),
  scannerColumn('state', texts.state, ({ connected }) => (connected ? texts.docked : texts.underWay)),
  scannerColumn('seen', texts.lastSeen, ({ lastSeen }) => lastSeenText(lastSeen), {
    sortBy: ({ lastSeen }) => lastSeen ?? '',
  }),
  scannerColumn('battery', texts.battery, ({ battery, charging }) =>
    battery === null ? texts.unknown : texts.percent(battery, charging),
  ),
  scannerColumn('log', texts.log, ({ used, capacity }) =>
    used === null || capacity === null ? texts.unknown : texts.logOf(used, capacity),
  ),
  scannerColumn('overflow', texts.overflow, ({ overflow }) => texts.stamps(overflow ?? 0)),
  scannerColumn('reader', texts.reader, ({ reader }) => (reader && texts.readers[reader]) ?? ''),
  scannerColumn('version', texts.version, ({ version, board }) => `${version} (${board})`),
]

/** Its latest log lines of the last week, also while it is unassigned. */
const Logs = ({ detail: { logs } }: { detail: Detail }) => (
  <Section title={texts.logs}>
    <DataTable
      caption={texts.logs}
      rows={logs}
      columns={LOGS}
      keyOf={({ id }) => id}
      empty={<EmptyState sentence={texts.noLogs} />}
    />
  </Section>
)

const LOGS: readonly Column<Detail['logs'][number]>[] = [
  { key: 'at', head: texts.at, cell: ({ at }) => lastSeenText(at), names: true },
  { key: 'level', head: texts.level, cell: ({ level }) => texts.levels[level] ?? level },
  { key: 'says', head: texts.message, cell: ({ code }) => wordsOf(code).says },
  { key: 'code', head: texts.logCode, cell: ({ code }) => code },
  { key: 'message', head: texts.technical, cell: ({ message }) => message },
]

type Epoch = Detail['epochs'][number]

function Deliveries({ detail: { epochs, gaps } }: { detail: Detail }) {
  const missing = epochs.reduce((sum, epoch) => sum + epoch.missing, 0)
  return (
    <Section title={texts.deliveries}>
      {missing > 0 && (
        <Notice title={texts.gaps(missing)}>
          <p>{texts.gapsLead}</p>
          <ul>
            {epochs
              .filter(({ missing }) => missing > 0)
              .map(epoch => (
                <li key={epoch.epoch}>{missingOf(epoch, gaps)}</li>
              ))}
          </ul>
        </Notice>
      )}
      <DataTable
        caption={texts.deliveries}
        rows={epochs}
        columns={EPOCHS}
        keyOf={({ epoch }) => epoch}
        empty={<EmptyState sentence={texts.noDeliveries} />}
      />
    </Section>
  )
}

/** An older server does not send when a start began. */
const startOf = ({ beganAt }: Partial<Pick<Epoch, 'beganAt'>>) =>
  typeof beganAt === 'string' ? lastSeenText(beganAt) : texts.startUnknown

/** The numbers of a start's missing stamps; without them where the service lists no more gaps. */
function missingOf(epoch: Epoch, gaps: Detail['gaps']): string {
  const numbers = gaps
    .filter(gap => gap.epoch === epoch.epoch)
    .map(({ from, to }) => (from === to ? `${from}` : texts.range(from, to)))
  return texts.missingOf(startOf(epoch), epoch.missing, numbers.join(', '))
}

const count = (key: 'received' | 'missing' | 'gone', head: string): Column<Epoch> => ({
  key,
  head,
  cell: epoch => epoch[key].toLocaleString('de-DE'),
  sortBy: epoch => epoch[key],
  align: 'end',
})

const EPOCHS: readonly Column<Epoch>[] = [
  { key: 'epoch', head: texts.epoch, cell: startOf, sortBy: ({ beganAt }) => beganAt ?? '', names: true },
  count('received', texts.received),
  count('missing', texts.missing),
  count('gone', texts.gone),
]

type Assignment = Detail['assignments'][number]

const Assignments = ({ detail: { assignments } }: { detail: Detail }) => (
  <Section title={texts.assignments}>
    <DataTable
      caption={texts.assignments}
      rows={assignments}
      columns={ASSIGNMENTS}
      keyOf={({ from, companyName }) => `${from} ${companyName}`}
      empty={<EmptyState sentence={texts.noAssignments} />}
    />
  </Section>
)

const ASSIGNMENTS: readonly Column<Assignment>[] = [
  { key: 'company', head: texts.company, cell: ({ companyName }) => companyName, names: true },
  { key: 'name', head: texts.name, cell: ({ name }) => name },
  { key: 'from', head: texts.from, cell: ({ from }) => lastSeenText(from) },
  { key: 'to', head: texts.to, cell: ({ to }) => (to === null ? texts.still : lastSeenText(to)) },
]
