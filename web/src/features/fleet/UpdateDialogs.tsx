/** Dialogs for actions on versions and their rollouts. */
import type { Rollout } from '../../entities/rollouts/useStopped'
import { FormDialog } from '../../patterns/FormDialog'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Checkbox, TextInput } from '../../ui/fields'
import { Refresh, Trash } from '../../ui/icons'
import { Select } from '../../ui/Select'
import { texts } from './updateTexts'
import { type Move, type Release, useMove, useStart, useWithdraw } from './useUpdates'

const REASON_LIMIT = 500
const MOST_CLOCKS = 100_000
const DAYS = [0, 1, 2, 3, 4, 5].map(days => ({ value: `${days}`, label: texts.stageDaysOf(days) }))

/** "5, 25, 100" as numbers; null unless they rise to 100. */
export function sharesFrom(text: string): number[] | null {
  const shares = text
    .split(/[\s,;%]+/)
    .filter(Boolean)
    .map(Number)
  const rising = shares.every((share, index) => Number.isInteger(share) && share > (shares[index - 1] ?? 0))
  return rising && shares.at(-1) === 100 ? shares : null
}

interface StartProps {
  releases: readonly Release[]
  chosen: Release | null
  onClose: () => void
}

export function StartDialog({ releases, chosen, onClose }: StartProps) {
  const offered = releases.filter(({ withdrawn, publishedAt }) => !withdrawn && publishedAt !== null)
  const keyOf = ({ channel, version }: Release) => `${channel} ${version}`
  const form = useForm({
    initial: {
      version: chosen === null ? null : keyOf(chosen),
      clocks: '5',
      stages: '5, 25, 100',
      stageDays: '1',
      now: false,
    },
    rules: {
      version: value => value === null && texts.releaseMissing,
      clocks: value => value.trim() !== '' && !isCount(value) && texts.canariesWrong,
      stages: value => sharesFrom(value) === null && texts.sharesWrong,
    },
    acting: useStart(),
    input: ({ version, clocks, stages, stageDays, now }) => {
      const release = offered.find(release => keyOf(release) === version)
      const first = clocks.trim() === '' ? [] : [{ clocks: Number(clocks) }]
      return {
        version: release?.version ?? '',
        channel: (release?.channel ?? 'stable') as 'stable' | 'beta',
        stages: [...first, ...(sharesFrom(stages) ?? []).map(percent => ({ percent }))],
        stageDays: Number(stageDays),
        now,
      }
    },
    onDone: sent => {
      if (sent !== null) succeed(texts.started(sent.version))
      onClose()
    },
  })
  return (
    <FormDialog title={texts.start} form={form} submit={texts.start} onClose={onClose}>
      <p>{texts.startLead}</p>
      <Select
        {...form.field('version')}
        label={texts.release}
        data={offered.map(release => ({
          value: keyOf(release),
          label: texts.heading(release.version, release.channel),
        }))}
        placeholder={offered.length === 0 ? texts.nothingToStart : undefined}
      />
      <TextInput
        {...form.field('clocks')}
        label={texts.canaries}
        description={texts.canariesHint}
        inputMode="numeric"
      />
      <TextInput {...form.field('stages')} label={texts.shares} description={texts.sharesHint} />
      <Select
        {...form.field('stageDays')}
        label={texts.stageDays}
        description={texts.stageDaysHint}
        data={DAYS}
      />
      <Checkbox {...form.tick('now')} label={texts.now} description={texts.nowHint} />
    </FormDialog>
  )
}

const isCount = (text: string) =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MOST_CLOCKS

export function WithdrawDialog({ release, onClose }: { release: Release; onClose: () => void }) {
  const form = useForm({
    initial: { reason: '' },
    rules: { reason: value => value.trim() === '' && texts.reasonMissing },
    acting: useWithdraw(release.version),
    input: ({ reason }) => reason.trim(),
    onDone: () => {
      succeed(texts.withdrew(release.version))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.withdrawOf(release.version)}
      form={form}
      submit={{ label: texts.withdraw, danger: <Trash size={18} /> }}
      onClose={onClose}
    >
      <p>{texts.withdrawLead}</p>
      <TextInput {...form.field('reason')} label={texts.withdrawReason} maxLength={REASON_LIMIT} />
    </FormDialog>
  )
}

interface MoveProps {
  rollout: Rollout
  move: Move
  onClose: () => void
}

export function MoveDialog({ rollout, move, onClose }: MoveProps) {
  const danger = move === 'rollback' ? { danger: <Refresh size={18} /> } : {}
  return (
    <ConfirmDialog
      title={texts.movesOf[move](texts.heading(rollout.version, rollout.channel))}
      consequences={texts.consequences[move](rollout.updated)}
      confirm={texts.moves[move]}
      {...danger}
      acting={useMove(rollout.id, move)}
      done={() => succeed(texts.moved[move])}
      onClose={onClose}
    />
  )
}
