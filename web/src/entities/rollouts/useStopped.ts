/** Rollouts that wait for somebody to decide: stopped, and nothing has been started in their channel since. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'

export type Rollout = components['schemas']['RolloutRow']

export const useRollouts = () => useGet('/api/updates/rollouts', {}, { live: ['rollouts_update'] })

/** Of each channel the newest, which alone says what its clocks are told. */
export function current(rollouts: readonly Rollout[]): Rollout[] {
  return rollouts.filter(one => rollouts.find(({ channel }) => channel === one.channel) === one)
}

export const useStopped = () => current(useRollouts().data ?? []).filter(({ state }) => state === 'stopped')
