/** Rollouts that wait for a decision: stopped, without a later one in their channel. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'

export type Rollout = components['schemas']['RolloutRow']

export const useRollouts = () => useGet('/api/updates/rollouts', {}, { live: ['rollouts_update'] })

/** The effective rollouts: each channel's newest, and those for platforms without a newer one. */
export function current(rollouts: readonly Rollout[]): Rollout[] {
  return rollouts.filter((rollout, index) => {
    const newer = rollouts.slice(0, index).filter(({ channel }) => channel === rollout.channel)
    const covered = newer.flatMap(({ platforms }) => platforms)
    return newer.length === 0 || rollout.platforms.some(platform => !covered.includes(platform))
  })
}

export const useStopped = () => current(useRollouts().data ?? []).filter(({ state }) => state === 'stopped')
