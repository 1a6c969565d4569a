/** Stamps that no company can claim, for the page and the menu's number. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'

export type Unclaimed = components['schemas']['HeldUnassigned']

export const PATH = '/api/held-stamps'
const EVERY_MS = 60_000

/** New ones cause no event: deliveries of unassigned clocks are polled. */
export const useUnclaimed = () => useGet(PATH, { query: {} }, { live: ['fleet_update'], every: EVERY_MS })

/** Unreadable stamps have no actions. */
export const canBeReleased = ({ state }: Unclaimed) => state !== 'quarantined'
