/** Stamps of a clock on its way to a company, one of an assignment that did not hold, and one that nobody can read. */
import type { Sample } from '../feature'
import type { Unclaimed } from './unclaimed'

const stamp = (id: string, takenAt: string, more: Partial<Unclaimed> = {}): Unclaimed => ({
  id,
  tag: '04A1B2C3D4E5F6',
  takenAt,
  deviceId: 'd-1',
  deviceName: 'SW-1177',
  assignment: null,
  state: 'held_assignment',
  raw: null,
  ...more,
})

export const UNCLAIMED: readonly Unclaimed[] = [
  stamp('s-1', '2026-11-19T06:58:03.214Z'),
  stamp('s-2', '2026-11-19T15:31:40.000Z', { tag: '04A1B2C3D4E5F7' }),
  stamp('s-3', '2026-11-18T07:02:11.000Z', {
    deviceId: 'd-2',
    deviceName: 'SW-0902',
    assignment: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  }),
  stamp('s-4', '', {
    tag: null,
    takenAt: null,
    deviceId: 'd-2',
    deviceName: 'SW-0902',
    state: 'quarantined',
    raw: '{"id":"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b","seq":"siebzehn","tag":"04A1B2C3D4E5F6"}',
  }),
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'admin', key: 'unclaimed' },
    answers: { 'GET /api/held-stamps': UNCLAIMED },
    shows: 'Nicht lesbar',
  },
]
