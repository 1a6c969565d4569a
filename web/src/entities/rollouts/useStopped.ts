/** Rollouts that wait for somebody to decide: stopped, and nothing has been started in their channel since. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'

export type Rollout = components['schemas']['RolloutRow']

export const useRollouts = () => useGet('/api/updates/rollouts', {}, { live: ['rollouts_update'] })

/** Those that say what clocks are told: of each channel the newest, and those for platforms that no newer one is for. */
export function current(rollouts: readonly Rollout[]): Rollout[] {
  return rollouts.filter((one, at) => {
    const newer = rollouts.slice(0, at).filter(({ channel }) => channel === one.channel)
    const covered = newer.flatMap(({ platforms }) => platforms)
    return newer.length === 0 || one.platforms.some(platform => !covered.includes(platform))
  })
}

export const useStopped = () => current(useRollouts().data ?? []).filter(({ state }) => state === 'stopped')
