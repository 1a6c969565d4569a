/** One clock that is well, and one that is not. */
import type { Alarm } from '../../entities/alarms/useAlarms'
import type { Sample } from '../feature'
import type { Device } from './useDevices'

export const device = (id: string, more: Partial<Device> = {}): Device => ({
  id,
  name: 'Werkstatt am Tor 2',
  notes: '',
  serial: 'SW-0417',
  mac: 'b8:27:eb:12:34:56',
  ip: '192.168.10.21',
  version: '1.4.0',
  online: true,
  isOnline: true,
  lastSeen: '2026-11-20T10:09:40.000Z',
  queueDepth: 0,
  reader: 'ok',
  quality: 'ntp',
  scannerCount: 0,
  channel: 'stable',
  claimCode: '',
  companyId: 'c-1',
  company_id: 'c-1',
  companyName: 'Tischlerei Holm',
  forked: false,
  identityConflict: false,
  ...more,
})

export const DEVICES: readonly Device[] = [
  device('d-1', { notes: 'Ersatzschlüssel beim Pförtner', scannerCount: 12 }),
  device('d-2', {
    name: 'Montagewagen',
    serial: 'SW-0902',
    ip: null,
    online: false,
    isOnline: false,
    lastSeen: '2026-11-19T15:42:10.000Z',
    queueDepth: 12,
    reader: 'absent',
    forked: true,
  }),
  device('d-3', {
    name: '',
    serial: 'SW-1177',
    mac: '',
    ip: null,
    version: '',
    lastSeen: null,
    queueDepth: null,
    reader: null,
    online: false,
  }),
]

export const ALARMS: readonly Alarm[] = [
  {
    id: 'a-1',
    kind: 'silent',
    deviceId: 'd-2',
    deviceName: 'Montagewagen',
    companyId: 'c-1',
    since: '2026-11-19T15:52:00.000Z',
    until: null,
    acknowledgedBy: null,
    hint: 'Prüfe Strom und Netz der Uhr.',
  },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'devices', module: 'devices' },
    answers: { 'GET /api/companies/c-1/clocks': DEVICES, 'GET /api/alarms': ALARMS },
    shows: 'Ersatzschlüssel beim Pförtner',
  },
]
