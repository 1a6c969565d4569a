/** "Geräte verwalten": the company's clocks, with their states and names. */
import { useState } from 'react'
import { AlarmSettings } from '../../entities/alarms/AlarmSettings'
import { AlarmTable } from '../../entities/alarms/AlarmTable'
import { texts as alarmTexts } from '../../entities/alarms/texts'
import { useAlarms } from '../../entities/alarms/useAlarms'
import { lastSeenText, nameOf, RenameDialog, State, stampsOf, Warnings } from '../../entities/clocks/clocks'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { useSearch } from '../../patterns/useSearch'
import { Button } from '../../ui/Button'
import { SearchInput } from '../../ui/fields'
import { Pencil } from '../../ui/icons'
import { Card, Facts, Section, Toolbar } from '../../ui/layout'
import { EmptyState, SkeletonRows } from '../../ui/states'
import classes from './DevicesPage.module.css'
import { texts } from './texts'
import { type Device, useDevices } from './useDevices'

export function DevicesPage({ companyId }: { companyId: string }) {
  const devices = useDevices(companyId)
  const [edited, edit] = useState<Device | null>(null)
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <Alarms />
      <QueryView query={devices} failed={texts.failed} skeleton={<SkeletonRows rows={2} height={220} />}>
        {known =>
          known.length === 0 ? (
            <EmptyState sentence={texts.empty} />
          ) : (
            <Devices devices={known} onEdit={edit} />
          )
        }
      </QueryView>
      {edited !== null && <RenameDialog device={edited} told={texts} onClose={() => edit(null)} />}
    </Page>
  )
}

/** The active alarms. */
function Alarms() {
  const alarms = useAlarms(true)
  return (
    <Section title={alarmTexts.title} actions={<AlarmSettings />}>
      <QueryView query={alarms.rows} failed={alarmTexts.failed} skeleton={<SkeletonRows rows={1} />}>
        {rows =>
          rows.length === 0 ? <p className="muted">{alarmTexts.none}</p> : <AlarmTable rows={rows} />
        }
      </QueryView>
    </Section>
  )
}

interface DevicesProps {
  devices: readonly Device[]
  onEdit: (device: Device) => void
}

function Devices({ devices, onEdit }: DevicesProps) {
  const search = useSearch(devices, matches)
  return (
    <>
      <Toolbar>
        <SearchInput
          className={classes.search ?? ''}
          label={texts.search}
          placeholder={texts.searchHint}
          value={search.words}
          onChange={search.onWords}
        />
      </Toolbar>
      {search.found.length === 0 ? (
        <EmptyState sentence={texts.nothing} />
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: without its marks Safari takes it for no list
        <ul role="list" className={classes.grid} aria-label={texts.list}>
          {search.found.map(device => (
            <li key={device.id}>
              <DeviceCard device={device} onEdit={() => onEdit(device)} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function matches({ name, notes, serial, ip, mac }: Device, words: string): boolean {
  const needle = words.trim().toLocaleLowerCase('de')
  return [name, notes, serial, ip ?? '', mac].some(text => text.toLocaleLowerCase('de').includes(needle))
}

function DeviceCard({ device, onEdit }: { device: Device; onEdit: () => void }) {
  const { lastSeen, queueDepth, reader, version, ip, mac } = device
  const facts = [
    { term: texts.lastSeen, value: lastSeenText(lastSeen) },
    { term: texts.queue, value: stampsOf(queueDepth) },
    reader !== null && { term: texts.reader, value: texts.readers[reader] ?? reader },
    device.scannerCount > 0 && { term: texts.scanners, value: device.scannerCount },
    { term: texts.version, value: version || texts.unknown },
    { term: texts.serial, value: device.serial },
    { term: texts.ip, value: ip ?? texts.unknown },
    { term: texts.mac, value: mac || texts.unknown },
    device.notes !== '' && { term: texts.notes, value: device.notes },
  ]
  return (
    <Card title={nameOf(device)} badge={<State online={device.online} />}>
      <Warnings device={device} told={texts} />
      <Facts facts={facts} />
      <div>
        <Button icon={<Pencil size={18} />} aria-label={texts.editOf(nameOf(device))} onClick={onEdit}>
          {texts.edit}
        </Button>
      </div>
    </Card>
  )
}
