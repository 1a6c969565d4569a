/** Rollouts that run, were stopped, and are done. */
import type { Rollout } from './useStopped'

const stage = (clocks: number | null, percent: number | null, figures: number[]) => {
  const [size = 0, told = 0, updated = 0, failed = 0] = figures
  return { clocks, percent, size, told, updated, failed }
}

export const rollout = (more: Partial<Rollout> = {}): Rollout => ({
  id: 'r-1',
  version: '1.6.0',
  channel: 'stable',
  state: 'running',
  stage: 2,
  stages: [
    stage(5, null, [5, 5, 5, 0]),
    stage(null, 5, [45, 45, 38, 1]),
    stage(null, 25, [200, 0, 0, 0]),
    stage(null, 100, [750, 0, 0, 0]),
  ],
  stageDays: 1,
  days: 0,
  now: false,
  platforms: ['cp311-aarch64', 'cp311-x86_64'],
  size: 1000,
  updated: 43,
  failed: 1,
  clocks: 43,
  startedAt: '2026-11-19T08:30:00.000Z',
  settledAt: '2026-11-20T03:12:00.000Z',
  reason: null,
  ...more,
})

export const ROLLOUTS: readonly Rollout[] = [
  rollout(),
  rollout({
    id: 'r-2',
    version: '1.6.0rc1',
    channel: 'beta',
    state: 'stopped',
    stage: 2,
    reason: 'Stempel fehlen (ungerade Zahl am Tag): 21 von 38 aktualisierten Uhren, 61 von 207 anderen.',
  }),
  rollout({ id: 'r-3', version: '1.5.0', state: 'done', stage: 4, size: 960, updated: 951, failed: 0 }),
]
