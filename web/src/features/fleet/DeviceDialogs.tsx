/** Dialogs for actions on a clock. */

import { useState } from 'react'
import { nameOf, RenameDialog } from '../../entities/clocks/clocks'
import { CompanySelect, companyChosen } from '../../entities/companies/CompanySelect'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import type { Acting } from '../../patterns/useAct'
import { useForm } from '../../patterns/useForm'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { instantOf } from '../../ui/days'
import { SpelledInput, TextInput } from '../../ui/fields'
import { Lock, ShieldOff, Trash } from '../../ui/icons'
import { Select } from '../../ui/Select'
import { isWholeMoment, MomentInput } from '../../ui/times'
import { texts } from './texts'
import {
  codeFrom,
  type Device,
  useAssign,
  useClaim,
  useDecommission,
  useRegistry,
  useReplace,
  useResetKey,
  useRevoke,
  useUnassign,
} from './useFleet'

const REASON_LIMIT = 500
const CODE_LENGTH = 8

export type DeviceAction =
  | 'edit'
  | 'assign'
  | 'unassign'
  | 'replace'
  | 'reset-key'
  | 'revoke'
  | 'decommission'

interface DeviceActionProps {
  device: Device
  onClose: () => void
}

export function DeviceDialog({ deed, ...props }: DeviceActionProps & { deed: DeviceAction }) {
  const ChosenDialog = DIALOGS[deed]
  return <ChosenDialog {...props} />
}

const EditDialog = (props: DeviceActionProps) => <RenameDialog {...props} told={texts} />

const ASSIGNING = { companyId: null as string | null, since: '' }
type Assigned = typeof ASSIGNING

const wholeMomentRule = (moment: string) => moment !== '' && !isWholeMoment(moment) && texts.sinceWhole

function assigning({ companyId, since }: Assigned) {
  const [day = '', time = ''] = since.split('T')
  return {
    companyId: companyId ?? '',
    ...(since !== '' && { from: instantOf(day, time).toISOString() }),
  }
}

/** Mentions the number of stamps only if the form included earlier ones. */
const assignedText = (device: { released: number } | null, since: string) =>
  since === '' || device === null ? texts.assigned : texts.assignedWith(device.released)

function AssignDialog({ device, onClose }: DeviceActionProps) {
  const form = useForm({
    initial: ASSIGNING,
    rules: { companyId: companyChosen, since: wholeMomentRule },
    acting: useAssign(device.id),
    input: assigning,
    onDone: (done, { since }) => {
      succeed(assignedText(done, since))
      onClose()
    },
  })
  return (
    <FormDialog title={texts.assignOf(nameOf(device))} form={form} submit={texts.assign} onClose={onClose}>
      <CompanySelect {...form.field('companyId')} />
      <MomentInput {...form.field('since')} label={texts.since} description={texts.sinceHint} />
    </FormDialog>
  )
}

export function ClaimDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { code: '', ...ASSIGNING },
    rules: {
      code: value => codeFrom(value).length !== CODE_LENGTH && texts.codeMissing,
      companyId: companyChosen,
      since: wholeMomentRule,
    },
    acting: useClaim(),
    input: ({ code, ...rest }) => ({ code: codeFrom(code), ...assigning(rest) }),
    onDone: (done, { since }) => {
      succeed(assignedText(done, since))
      onClose()
    },
  })
  return (
    <FormDialog title={texts.claim} form={form} submit={texts.assign} onClose={onClose}>
      <SpelledInput
        {...form.field('code')}
        label={texts.claimCode}
        description={texts.claimHint}
        autoComplete="off"
      />
      <CompanySelect {...form.field('companyId')} />
      <MomentInput {...form.field('since')} label={texts.since} description={texts.sinceHint} />
    </FormDialog>
  )
}

function ReplaceDialog({ device, onClose }: DeviceActionProps) {
  const [words, setWords] = useState('')
  const spares = useRegistry('unassigned', words)
  const form = useForm({
    initial: { spare: null as string | null },
    rules: { spare: value => value === null && texts.spareMissing },
    acting: useReplace(device.id),
    input: ({ spare }) => spare ?? '',
    onDone: taken => {
      if (taken !== null) succeed(texts.replaced(taken.serial))
      onClose()
    },
  })
  const spareClocks = (spares.rows.data ?? []).filter(({ id }) => id !== device.id)
  return (
    <FormDialog title={texts.replaceOf(nameOf(device))} form={form} submit={texts.replace} onClose={onClose}>
      <p>{texts.replaceLead}</p>
      <Select
        {...form.field('spare')}
        label={texts.spare}
        description={texts.spareHint}
        data={spareClocks.map(({ id, serial, claimCode }) => ({
          value: id,
          label: `${serial} · ${claimCode}`,
        }))}
        searchable
        onSearchChange={text => setWords(text.split(' · ')[0] ?? '')}
        nothingFoundMessage={texts.noSpare}
      />
    </FormDialog>
  )
}

interface ReasonProps<Output> {
  title: string
  lead: string
  submit: string
  icon: React.ReactNode
  acting: Acting<string, Output>
  done: string
  onClose: () => void
}

function ReasonDialog<Output>({ title, lead, submit, icon, acting, done, onClose }: ReasonProps<Output>) {
  const form = useForm({
    initial: { reason: '' },
    rules: { reason: value => value.trim() === '' && texts.reasonMissing },
    acting,
    input: ({ reason }) => reason.trim(),
    onDone: () => {
      succeed(done)
      onClose()
    },
  })
  return (
    <FormDialog title={title} form={form} submit={{ label: submit, danger: icon }} onClose={onClose}>
      <p>{lead}</p>
      <TextInput {...form.field('reason')} label={texts.reason} maxLength={REASON_LIMIT} />
    </FormDialog>
  )
}

const ResetKeyDialog = ({ device, onClose }: DeviceActionProps) => (
  <ReasonDialog
    title={texts.resetKeyOf(nameOf(device))}
    lead={texts.resetKeyLead}
    submit={texts.resetKey}
    icon={<ShieldOff size={18} />}
    acting={useResetKey(device.id)}
    done={texts.keyReset}
    onClose={onClose}
  />
)

const RevokeDialog = ({ device, onClose }: DeviceActionProps) => (
  <ReasonDialog
    title={texts.revokeOf(nameOf(device))}
    lead={texts.revokeLead}
    submit={texts.revoke}
    icon={<Lock size={18} />}
    acting={useRevoke(device.id)}
    done={texts.revoked}
    onClose={onClose}
  />
)

const UnassignDialog = ({ device, onClose }: DeviceActionProps) => (
  <ConfirmDialog
    title={texts.unassignQuestion(nameOf(device))}
    consequences={texts.unassignConsequences}
    confirm={texts.unassign}
    acting={useUnassign(device.id)}
    done={() => succeed(texts.unassigned)}
    onClose={onClose}
  />
)

const DecommissionDialog = ({ device, onClose }: DeviceActionProps) => (
  <ConfirmDialog
    title={texts.decommissionQuestion(nameOf(device))}
    consequences={texts.decommissionConsequences(device.queueDepth)}
    typed={{ word: device.serial, label: texts.decommissionWord, wrong: texts.decommissionWrong }}
    confirm={texts.decommission}
    danger={<Trash size={18} />}
    acting={useDecommission(device.id)}
    done={() => succeed(texts.decommissioned)}
    onClose={onClose}
  />
)

const DIALOGS = {
  edit: EditDialog,
  assign: AssignDialog,
  unassign: UnassignDialog,
  replace: ReplaceDialog,
  'reset-key': ResetKeyDialog,
  revoke: RevokeDialog,
  decommission: DecommissionDialog,
}
