/** Parts of a clock shared by companies and the operator: name, state, renaming. */
import { api, dataOf } from '../../api/client'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useChange } from '../../patterns/useChange'
import { useForm } from '../../patterns/useForm'
import { Badge } from '../../ui/Badge'
import { momentOf } from '../../ui/days'
import { Textarea, TextInput } from '../../ui/fields'
import { Check, Offline } from '../../ui/icons'
import { Notice } from '../../ui/Notice'
import { texts } from './texts'

/** The queries of lists of clocks. */
export const CLOCKS = [
  ['/api/devices'],
  ['/api/devices/{id}'],
  ['/api/clocks'],
  ['/api/companies/{companyId}/clocks'],
]
/** The service's limit. */
const NAME_LIMIT = 100
const NOTES_LIMIT = 2_000

interface Named {
  id: string
  name: string
  notes: string
  serial: string
}

/** A clock's own page, for the operator. */
export const pageOfClock = (id: string) => `?${new URLSearchParams({ tab: 'registry', uhr: id })}`

export const nameOf = ({ name, serial }: Pick<Named, 'name' | 'serial'>) => name || serial

export const lastSeenText = (instant: string | null) =>
  instant === null ? texts.never : texts.clock(momentOf(new Date(instant)))

export const stampsOf = (queued: number | null) => (queued === null ? texts.unknown : texts.stamps(queued))

export const State = ({ online }: { online: boolean }) =>
  online ? (
    <Badge tone="in" icon={<Check size={16} />}>
      {texts.online}
    </Badge>
  ) : (
    <Badge tone="warn" icon={<Offline size={16} />}>
      {texts.away}
    </Badge>
  )

interface WarningsProps {
  device: { forked: boolean; identityConflict: boolean }
  /** The action for the reader. */
  told: { forked: string; conflict: string }
}

export const Warnings = ({ device, told }: WarningsProps) =>
  [device.forked && told.forked, device.identityConflict && told.conflict].map(
    sentence =>
      sentence !== false && (
        <Notice key={sentence} tone="error">
          <p>{sentence}</p>
        </Notice>
      ),
  )

interface RenameDialogProps {
  device: Named
  told: { name: string; nameHint?: string; notesHint?: string; saveFailed: string }
  onClose: () => void
}

/** Unchanged values are not sent. */
export function RenameDialog({ device, told, onClose }: RenameDialogProps) {
  const initial = { name: device.name, notes: device.notes }
  const path = { id: device.id }
  const acting = useChange(
    async (body: typeof initial) => dataOf(await api.PUT('/api/devices/{id}', { params: { path }, body })),
    told.saveFailed,
    CLOCKS,
  )
  const form = useForm<typeof initial, typeof initial, unknown>({
    initial: initial,
    acting,
    input: ({ name, notes }) => {
      const words = { name: name.trim(), notes: notes.trim() }
      return words.name === initial.name && words.notes === initial.notes ? null : words
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
        label={told.name}
        placeholder={told.nameHint}
        maxLength={NAME_LIMIT}
      />
      <Textarea
        {...form.field('notes')}
        label={texts.notes}
        placeholder={told.notesHint}
        maxLength={NOTES_LIMIT}
        rows={4}
      />
    </FormDialog>
  )
}
