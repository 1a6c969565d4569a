/** Stamps that no company can claim, as the page shows them and the menu counts them. */
import type { components } from '../../api/schema'
import { useGet } from '../../patterns/useGet'

export type Unclaimed = components['schemas']['HeldUnassigned']

export const PATH = '/api/held-stamps'
const EVERY_MS = 60_000

/** No event tells of new ones: what clocks of nobody deliver is looked for now and then. */
export const useUnclaimed = () => useGet(PATH, { query: {} }, { live: ['fleet_update'], every: EVERY_MS })

/** Nothing can be done about what nobody can read. */
export const canBeReleased = ({ state }: Unclaimed) => state !== 'quarantined'
