/** A registry with new clocks and one with a fork; a clock with a week behind it; channels of both kinds. */
import { ROLLOUTS } from '../../entities/rollouts/samples'
import type { Sample } from '../feature'
import type { Clock, Detail, Device, Moment, Scanner } from './useFleet'
import type { Release, Signature } from './useUpdates'

export const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  name: '',
  notes: '',
  serial: 'SW-1177',
  mac: 'b8:27:eb:12:34:56',
  ip: '192.168.10.21',
  version: '1.4.0',
  isOnline: true,
  lastSeen: '2026-11-20T10:09:40.000Z',
  queueDepth: 0,
  reader: 'ok',
  quality: 'ntp',
  scannerCount: 0,
  channel: 'stable',
  claimCode: '7K3QW9XA',
  companyId: null,
  companyName: null,
  forked: false,
  identityConflict: false,
  ...more,
})

const OWNED = {
  companyId: 'c-1',
  companyName: 'Tischlerei Holm',
  name: 'Werkstatt am Tor 2',
  serial: 'SW-0417',
}

export const DEVICES: readonly Device[] = [
  device('d-1'),
  device('d-2', {
    serial: 'SW-0902',
    claimCode: 'M4T8Z2PC',
    name: 'Lager, Regal 3',
    notes: 'Gehäuse hat einen Sprung',
    ip: null,
    isOnline: false,
    lastSeen: null,
    queueDepth: 12,
    reader: 'fault',
    quality: 'none',
    forked: true,
    identityConflict: true,
  }),
  device('d-3', { serial: 'SW-1178', claimCode: 'B2N6R0HD' }),
]

const clock = (id: string, more: Partial<Clock>): Clock => {
  const row = device(id, more)
  return { ...row, online: row.isOnline, company_id: row.companyId, ...more }
}

export const CLOCKS: readonly Clock[] = [
  clock('d-4', OWNED),
  clock('d-5', { ...OWNED, name: 'Montagewagen', serial: 'SW-0418', channel: 'beta', version: '1.5.0-rc1' }),
  clock('d-6', {
    companyId: 'c-2',
    companyName: 'Bäckerei Krume',
    name: 'Backstube',
    serial: 'SW-0551',
    isOnline: false,
    lastSeen: '2026-11-18T04:12:00.000Z',
  }),
]

const moment = (at: string, more: Partial<Moment> = {}): Moment => ({
  at,
  online: true,
  queueDepth: 0,
  quality: 'ntp',
  reader: 'ok',
  version: '1.4.0',
  diskFreeMb: 11_480,
  ...more,
})
const SILENT = {
  online: false,
  queueDepth: null,
  quality: null,
  reader: null,
  version: null,
  diskFreeMb: null,
}

export const MOMENTS: readonly Moment[] = [
  moment('2026-11-13T12:00:00.000Z'),
  moment('2026-11-15T02:00:00.000Z', SILENT),
  moment('2026-11-15T14:00:00.000Z', { queueDepth: 38 }),
  moment('2026-11-15T15:00:00.000Z'),
  moment('2026-11-18T08:00:00.000Z', { reader: 'fault', queueDepth: 6 }),
  moment('2026-11-18T09:30:00.000Z'),
]

const scanner = (serial: string, more: Partial<Scanner> = {}): Scanner => ({
  serial,
  board: 'rp2040',
  version: '1.0.0',
  battery: 71,
  charging: true,
  used: 0,
  capacity: 6144,
  overflow: 0,
  reader: 'ok',
  lastSeen: '2026-11-20T10:09:30.000Z',
  connected: true,
  ...more,
})

export const detail = (more: Partial<Detail> = {}): Detail => ({
  ...device('d-4', { ...OWNED, forked: true, notes: 'Ersatzschlüssel beim Pförtner' }),
  profile: 'core',
  diskFreeMb: 11_480,
  uptimeS: 864_000,
  platform: 'cp311-aarch64',
  updateState: 'ready',
  updateVersion: '1.6.0',
  enrolledAt: '2026-03-02T08:00:00.000Z',
  scanners: [
    scanner('SW-BEACON-000042'),
    scanner('SW-BEACON-000043', {
      battery: 9,
      charging: false,
      used: 6144,
      overflow: 3,
      reader: 'fault',
      connected: false,
      lastSeen: '2026-11-18T16:02:00.000Z',
    }),
  ],
  withdrawn: null,
  withdrawnAt: null,
  withdrawnWhy: '',
  assignments: [
    {
      companyName: 'Tischlerei Holm',
      name: 'Werkstatt am Tor 2',
      from: '2026-06-01T06:00:00.000Z',
      to: null,
    },
    {
      companyName: 'Bäckerei Krume',
      name: 'Backstube',
      from: '2026-03-02T09:00:00.000Z',
      to: '2026-05-29T14:00:00.000Z',
    },
  ],
  replaces: [{ id: 'd-9', serial: 'SW-0031' }],
  replacedBy: [],
  epochs: [
    {
      epoch: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
      beganAt: '2026-11-10T05:58:00.000Z',
      received: 1843,
      gone: 0,
      missing: 3,
    },
    {
      epoch: '018f0000-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
      beganAt: null,
      received: 9120,
      gone: 2,
      missing: 0,
    },
  ],
  alarms: [
    {
      id: 'al-1',
      kind: 'fork',
      deviceId: 'd-4',
      deviceName: 'Werkstatt am Tor 2',
      companyId: 'c-1',
      since: '2026-11-20T09:40:00.000Z',
      until: null,
      acknowledgedBy: null,
      hint: 'Dieselbe Uhr meldet sich zweimal, oder ihre Speicherkarte ist auf einem alten Stand.',
    },
  ],
  gaps: [
    { epoch: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', from: 1201, to: 1202 },
    { epoch: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', from: 1700, to: 1700 },
  ],
  lastError: { at: '2026-11-18T08:00:00.000Z', code: 'reader_fault', message: 'no answer from PN532' },
  logs: [
    {
      id: 'l-1',
      at: '2026-11-18T08:00:00.000Z',
      level: 'error',
      code: 'reader_fault',
      message: 'no answer from PN532',
    },
  ],
  ...more,
})

const release = (version: string, channel: string, more: Partial<Release> = {}): Release => ({
  version,
  channel,
  publishedAt: '2026-11-18T14:05:00.000Z',
  notes: 'Der Ton ist leiser, und die Uhr findet ihren Leser nach dem Einstecken wieder.',
  withdrawn: false,
  reason: '',
  platforms: ['cp311-aarch64', 'cp311-x86_64'],
  clocks: 0,
  missing: false,
  ...more,
})

export const RELEASES: readonly Release[] = [
  release('1.7.0', 'stable', { publishedAt: null, notes: '', platforms: [], clocks: 12, missing: true }),
  release('1.6.0', 'stable', { clocks: 43 }),
  release('1.6.0rc1', 'beta', { withdrawn: true, reason: 'verliert Stempel', clocks: 38 }),
  release('1.5.0', 'stable', { clocks: 908, notes: 'Zeigt an, wann die Uhr zuletzt senden konnte.' }),
]

const COMPANIES = [
  { id: 'c-0', name: 'Betrieb' },
  { id: 'c-1', name: 'Tischlerei Holm' },
]
const HOLM = { 'GET /api/companies': COMPANIES, 'GET /api/companies/c-1/clocks': CLOCKS.slice(0, 2) }

export const SIGNATURES: readonly Signature[] = [
  signature('root', '2029-05-04T08:00:00.000Z'),
  signature('targets', '2029-05-04T08:00:00.000Z'),
  signature('stable', '2026-12-09T08:00:00.000Z', {
    state: 'soon',
    text: 'Die Unterschrift „stable“ läuft am 09.12.2026 ab. Danach nehmen Uhren keine Updates mehr an; gestempelt wird weiter. Wer Versionen herausgibt, unterschreibt den Kanal neu mit „stempelwerk release sign --channel stable“; veröffentlicht wird mit „stempelwerk release publish“.',
  }),
  signature('beta', '2026-11-18T08:00:00.000Z', {
    state: 'over',
    text: 'Die Unterschrift „beta“ ist am 18.11.2026 abgelaufen. Uhren nehmen keine Updates mehr an; gestempelt wird weiter. Wer Versionen herausgibt, unterschreibt den Kanal neu mit „stempelwerk release sign --channel beta“; veröffentlicht wird mit „stempelwerk release publish“.',
  }),
  signature('snapshot', '2026-12-19T08:00:00.000Z', { byService: true }),
  signature('timestamp', '2026-12-03T08:00:00.000Z', { byService: true }),
]

function signature(role: string, expiresAt: string, more: Partial<Signature> = {}): Signature {
  return { role, byService: false, expiresAt, state: 'good', text: '', ...more }
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'admin', key: 'registry' },
    answers: { 'GET /api/devices': DEVICES },
    shows: 'Gehäuse hat einen Sprung',
  },
  { page: { area: 'admin', key: 'clocks' }, search: 'firma=c-1', answers: HOLM, shows: '1.5.0-rc1' },
  {
    page: { area: 'admin', key: 'updates' },
    answers: {
      'GET /api/clocks': CLOCKS,
      'GET /api/updates/rollouts': ROLLOUTS,
      'GET /api/updates/releases': RELEASES,
      'GET /api/updates/signatures': SIGNATURES,
    },
    shows: 'Backstube',
  },
  { page: { area: 'admin', key: 'company_channel' }, search: 'firma=c-1', answers: HOLM, shows: 'SW-0418' },
]
