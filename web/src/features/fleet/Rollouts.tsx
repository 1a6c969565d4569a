/** Versions, their rollouts, and the clocks' versions. */
import { useState } from 'react'
import { current, type Rollout, useRollouts } from '../../entities/rollouts/useStopped'
import { ProgressBar } from '../../patterns/ProgressBar'
import { QueryView } from '../../patterns/QueryView'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { momentOf } from '../../ui/days'
import { Alert, Check, Clock as ClockIcon, Plus, Refresh } from '../../ui/icons'
import { Buttons, Card, Facts, Fold, Section } from '../../ui/layout'
import { Notice } from '../../ui/Notice'
import { RowMenu } from '../../ui/RowMenu'
import { EmptyState, SkeletonRows } from '../../ui/states'
import classes from './fleet.module.css'
import { MoveDialog, StartDialog, WithdrawDialog } from './UpdateDialogs'
import { texts } from './updateTexts'
import type { Clock } from './useFleet'
import { type Move, type Release, useReleases } from './useUpdates'

const MOVES: Readonly<Record<Rollout['state'], readonly Move[]>> = {
  running: ['pause', 'rollback'],
  paused: ['resume', 'rollback'],
  stopped: ['rollback'],
  done: ['rollback'],
  rolled_back: [],
}
const LOOKS = {
  running: { tone: 'note', icon: <ClockIcon size={16} /> },
  paused: { tone: 'warn', icon: <ClockIcon size={16} /> },
  stopped: { tone: 'warn', icon: <Alert size={16} /> },
  done: { tone: 'in', icon: <Check size={16} /> },
  rolled_back: { tone: 'note', icon: <Refresh size={16} /> },
} as const

export const headingOf = ({ version, channel }: { version: string; channel: string }) =>
  texts.heading(version, channel)
const when = (instant: string) => momentOf(new Date(instant))

export function Rollouts() {
  const rollouts = useRollouts()
  const [asked, ask] = useState<{ rollout: Rollout; move: Move } | null>(null)
  return (
    <Section title={texts.rollouts}>
      <QueryView
        query={rollouts}
        failed={texts.rolloutsFailed}
        skeleton={<SkeletonRows rows={1} height={220} />}
      >
        {known => {
          const currentRollouts = current(known)
          const earlier = known.filter(one => !currentRollouts.includes(one))
          return known.length === 0 ? (
            <EmptyState sentence={texts.noRollouts} />
          ) : (
            <>
              {currentRollouts.map(rollout => (
                <RolloutCard key={rollout.id} rollout={rollout} onAsk={move => ask({ rollout, move })} />
              ))}
              {earlier.length > 0 && (
                <Fold line={texts.earlier}>
                  <DataTable
                    caption={texts.earlier}
                    rows={earlier}
                    columns={EARLIER}
                    keyOf={({ id }) => id}
                    csv={texts.earlier}
                  />
                </Fold>
              )}
            </>
          )
        }}
      </QueryView>
      {asked !== null && <MoveDialog {...asked} onClose={() => ask(null)} />}
    </Section>
  )
}

const StateBadge = ({ state }: Pick<Rollout, 'state'>) => (
  <Badge {...LOOKS[state]}>{texts.states[state]}</Badge>
)

function RolloutCard({ rollout, onAsk }: { rollout: Rollout; onAsk: (move: Move) => void }) {
  const { state, stage, stages, updated, size, failed, clocks, settledAt, days, stageDays, now, reason } =
    rollout
  return (
    <Card title={headingOf(rollout)} badge={<StateBadge state={state} />}>
      {state === 'stopped' && (
        <Notice tone="error" title={texts.stoppedTitle}>
          <p>{reason}</p>
        </Notice>
      )}
      {state === 'done' && size === 0 ? (
        <Notice tone="info" title={texts.forNobody}>
          <p>{texts.forNobodyHint}</p>
        </Notice>
      ) : (
        <ProgressBar label={texts.progress(updated, size)} progress={size === 0 ? 1 : updated / size} />
      )}
      {state === 'rolled_back' && <p>{texts.goesBack(clocks)}</p>}
      {state === 'running' && (
        <p>
          {texts.stageSays(
            stage,
            stages.length,
            settledAt === null ? texts.waits : texts.judged(days, stageDays),
          )}
        </p>
      )}
      <Facts
        facts={[
          { term: texts.startedAt, value: when(rollout.startedAt) },
          now && { term: texts.switches, value: texts.switchesNow },
          failed > 0 && { term: texts.failed, value: failed },
        ]}
      />
      <DataTable
        caption={`${texts.stages} ${headingOf(rollout)}`}
        rows={stages.map((stage, index) => ({ ...stage, number: index + 1 }))}
        columns={STAGES}
        keyOf={({ number }) => `${number}`}
      />
      {MOVES[state].length > 0 && (
        <Buttons>
          {MOVES[state].map(move => (
            <Button
              key={move}
              onClick={() => onAsk(move)}
              aria-label={`${texts.moves[move]}: ${headingOf(rollout)}`}
            >
              {texts.moves[move]}
            </Button>
          ))}
        </Buttons>
      )}
    </Card>
  )
}

type StageRow = Rollout['stages'][number] & { number: number }

const STAGES: readonly Column<StageRow>[] = [
  {
    key: 'stage',
    head: texts.stage,
    cell: ({ number, percent, clocks }) => `${number}: ${texts.reach(percent, clocks)}`,
    names: true,
  },
  {
    key: 'updated',
    head: texts.updated,
    cell: ({ updated, size }) => texts.of(updated, size),
    align: 'end',
  },
  { key: 'failed', head: texts.failed, cell: ({ failed }) => failed.toLocaleString('de-DE'), align: 'end' },
]

const EARLIER: readonly Column<Rollout>[] = [
  { key: 'version', head: texts.version, cell: headingOf, names: true },
  { key: 'at', head: texts.startedAt, cell: ({ startedAt }) => when(startedAt) },
  { key: 'state', head: texts.state, cell: ({ state }) => texts.states[state] },
  { key: 'updated', head: texts.updated, cell: ({ updated, size }) => texts.of(updated, size), align: 'end' },
  { key: 'reason', head: texts.reason, cell: ({ reason }) => reason ?? '' },
]

/** Problems of a version, with their texts. */
function saysOf({ notes, withdrawn, missing, reason }: Release): [string | null, string] {
  if (withdrawn) return [texts.withdrawn, reason]
  return missing ? [texts.missing, texts.publishAgain] : [null, notes]
}

const RELEASES: readonly Column<Release>[] = [
  { key: 'version', head: texts.version, cell: headingOf, sortBy: headingOf, names: true },
  {
    key: 'at',
    head: texts.published,
    cell: ({ publishedAt }) => (publishedAt === null ? texts.unpublished : when(publishedAt)),
    sortBy: ({ publishedAt }) => publishedAt ?? '',
  },
  {
    key: 'notes',
    head: texts.notes,
    cell: release => {
      const [state, words] = saysOf(release)
      return state === null ? (
        words
      ) : (
        <>
          <Badge tone="warn" icon={<Alert size={16} />}>
            {state}
          </Badge>{' '}
          {words}
        </>
      )
    },
    text: release => saysOf(release).filter(Boolean).join(' '),
  },
  { key: 'clocks', head: texts.clocks, cell: ({ clocks }) => clocks.toLocaleString('de-DE'), align: 'end' },
]

/** Platforms added to a version after its rollout, which need their own rollout. */
export function platformsLeft({ channel, version, platforms }: Release, rollouts: readonly Rollout[]) {
  const rolloutsHere = rollouts.filter(rollout => rollout.channel === channel && rollout.version === version)
  const covered = rolloutsHere.flatMap(rollout => rollout.platforms)
  return rolloutsHere.length === 0 ? [] : platforms.filter(platform => !covered.includes(platform))
}

export function Releases() {
  const releases = useReleases()
  const rollouts = useRollouts().data ?? []
  const [starting, start] = useState<{ release: Release | null } | null>(null)
  const [withdrawing, withdraw] = useState<Release | null>(null)
  const columns: Column<Release>[] = [
    ...RELEASES,
    {
      key: 'act',
      head: texts.actions,
      acts: true,
      cell: release =>
        !release.withdrawn &&
        release.publishedAt !== null && (
          <div className={classes.acts}>
            <Button onClick={() => start({ release })} aria-label={texts.startOf(headingOf(release))}>
              {texts.start}
            </Button>
            <RowMenu
              name={headingOf(release)}
              entries={[{ label: texts.withdraw, onPress: () => withdraw(release) }]}
            />
          </div>
        ),
    },
  ]
  return (
    <Section
      title={texts.releases}
      actions={
        <Button icon={<Plus size={18} />} onClick={() => start({ release: null })}>
          {texts.start}
        </Button>
      }
    >
      <QueryView
        query={releases}
        failed={texts.releasesFailed}
        skeleton={<TableSkeleton columns={columns} />}
      >
        {rows => (
          <>
            {rows
              .filter(({ withdrawn }) => !withdrawn)
              .map(release => [headingOf(release), platformsLeft(release, rollouts)] as const)
              .filter(([, left]) => left.length > 0)
              .map(([name, left]) => (
                <Notice key={name} tone="info" title={texts.platformsLeft(name, left)}>
                  <p>{texts.platformsLeftHint}</p>
                </Notice>
              ))}
            <DataTable
              caption={texts.releases}
              rows={rows}
              columns={columns}
              keyOf={({ channel, version }) => `${channel} ${version}`}
              empty={<EmptyState sentence={texts.noReleases} />}
            />
          </>
        )}
      </QueryView>
      {starting !== null && (
        <StartDialog releases={releases.data ?? []} chosen={starting.release} onClose={() => start(null)} />
      )}
      {withdrawing !== null && <WithdrawDialog release={withdrawing} onClose={() => withdraw(null)} />}
    </Section>
  )
}

interface Running {
  version: string
  channel: string
  clocks: number
  online: number
}

/** The number of clocks per version and channel, the largest first. */
export function whereIs(clocks: readonly Clock[]): Running[] {
  const byRelease = new Map<string, Running>()
  for (const { version, channel, online } of clocks) {
    const key = `${channel} ${version}`
    const running = byRelease.get(key) ?? { version, channel, clocks: 0, online: 0 }
    byRelease.set(key, { ...running, clocks: running.clocks + 1, online: running.online + (online ? 1 : 0) })
  }
  return [...byRelease.values()].sort((a, b) => b.clocks - a.clocks)
}

const WHERE: readonly Column<Running>[] = [
  { key: 'version', head: texts.version, cell: ({ version }) => version || texts.unknown, names: true },
  { key: 'channel', head: texts.channel, cell: ({ channel }) => channel },
  { key: 'clocks', head: texts.clocks, cell: ({ clocks }) => clocks.toLocaleString('de-DE'), align: 'end' },
  { key: 'online', head: texts.online, cell: ({ online }) => online.toLocaleString('de-DE'), align: 'end' },
]

export const WhereIs = ({ clocks }: { clocks: readonly Clock[] }) => (
  <Section title={texts.whereIs}>
    <DataTable
      caption={texts.whereIs}
      rows={whereIs(clocks)}
      columns={WHERE}
      keyOf={({ channel, version }) => `${channel} ${version}`}
      empty={<EmptyState sentence={texts.whereEmpty} />}
    />
  </Section>
)
