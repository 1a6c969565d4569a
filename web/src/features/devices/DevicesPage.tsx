/** "Geräte verwalten": the company's clocks, how they are, and what they are called. */
import { useState } from 'react'
import { AlarmSettings } from '../../entities/alarms/AlarmSettings'
import { AlarmTable } from '../../entities/alarms/AlarmTable'
import { texts as alarmTexts } from '../../entities/alarms/texts'
import { useAlarms } from '../../entities/alarms/useAlarms'
import { FormDialog } from '../../patterns/FormDialog'
import { Page } from '../../patterns/Page'
import { Served } from '../../patterns/Served'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { useSearch } from '../../patterns/useSearch'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { momentOf } from '../../ui/days'
import { SearchInput, Textarea, TextInput } from '../../ui/fields'
import { Check, Offline, Pencil } from '../../ui/icons'
import { Card, Facts, Section, Toolbar } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { EmptyState, SkeletonRows } from '../../ui/states'
import classes from './DevicesPage.module.css'
import { texts } from './texts'
import { type Device, useDevices, useRename, type Words } from './useDevices'

/** As long as the service takes them. */
const NAME_LIMIT = 100
const NOTES_LIMIT = 2_000

export function DevicesPage({ companyId }: { companyId: string }) {
  const devices = useDevices(companyId)
  const [edited, edit] = useState<Device | null>(null)
  return (
    <Page title={texts.title} lead={texts.lead} offline={texts.offline}>
      <Alarms />
      <Served query={devices} failed={texts.failed} skeleton={<SkeletonRows rows={2} height={220} />}>
        {known =>
          known.length === 0 ? (
            <EmptyState sentence={texts.empty} />
          ) : (
            <Devices devices={known} onEdit={edit} />
          )
        }
      </Served>
      {edited !== null && <EditDialog device={edited} onClose={() => edit(null)} />}
    </Page>
  )
}

/** Those that go on. */
function Alarms() {
  const alarms = useAlarms(true)
  return (
    <Section title={alarmTexts.title} actions={<AlarmSettings />}>
      <Served query={alarms.rows} failed={alarmTexts.failed} skeleton={<SkeletonRows rows={1} />}>
        {rows =>
          rows.length === 0 ? <p className="muted">{alarmTexts.none}</p> : <AlarmTable rows={rows} />
        }
      </Served>
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
  const wanted = words.trim().toLocaleLowerCase('de')
  return [name, notes, serial, ip ?? '', mac].some(text => text.toLocaleLowerCase('de').includes(wanted))
}

const nameOf = ({ name, serial }: Device) => name || serial

function DeviceCard({ device, onEdit }: { device: Device; onEdit: () => void }) {
  const { lastSeen, queueDepth, reader, version, ip, mac } = device
  const facts = [
    {
      term: texts.lastSeen,
      value: lastSeen === null ? texts.never : texts.seen(momentOf(new Date(lastSeen))),
    },
    { term: texts.queue, value: queueDepth === null ? texts.unknown : texts.stamps(queueDepth) },
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
      {device.forked && (
        <Notice tone="error">
          <p>{texts.forked}</p>
        </Notice>
      )}
      {device.identityConflict && (
        <Notice tone="error">
          <p>{texts.conflict}</p>
        </Notice>
      )}
      <Facts facts={facts} />
      <div>
        <Button icon={<Pencil size={18} />} aria-label={texts.editOf(nameOf(device))} onClick={onEdit}>
          {texts.edit}
        </Button>
      </div>
    </Card>
  )
}

const State = ({ online }: { online: boolean }) =>
  online ? (
    <Badge tone="in" icon={<Check size={16} />}>
      {texts.online}
    </Badge>
  ) : (
    <Badge tone="warn" icon={<Offline size={16} />}>
      {texts.away}
    </Badge>
  )

/** What is not changed is not sent. */
function EditDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const before = { name: device.name, notes: device.notes }
  const form = useForm<Words, Words, unknown>({
    initial: before,
    acting: useRename(device.id),
    input: ({ name, notes }) => {
      const words = { name: name.trim(), notes: notes.trim() }
      return words.name === before.name && words.notes === before.notes ? null : words
    },
    onDone: sent => {
      if (sent !== null) succeed(texts.saved)
      onClose()
    },
  })
  return (
    <FormDialog title={texts.editOf(nameOf(device))} form={form} submit={texts.save} onClose={onClose}>
      <TextInput
        {...form.field('name')}
        label={texts.name}
        placeholder={texts.nameHint}
        maxLength={NAME_LIMIT}
      />
      <Textarea
        {...form.field('notes')}
        label={texts.notes}
        placeholder={texts.notesHint}
        maxLength={NOTES_LIMIT}
        rows={4}
      />
    </FormDialog>
  )
}
