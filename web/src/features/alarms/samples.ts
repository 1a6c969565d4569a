/** A clock that is silent, a network that is gone and somebody sees to it, a disk that has room again. */
import type { Alarm } from '../../entities/alarms/useAlarms'
import { ROLLOUTS } from '../../entities/rollouts/samples'
import type { Sample } from '../feature'

export const alarm = (id: string, more: Partial<Alarm> = {}): Alarm => ({
  id,
  kind: 'silent',
  deviceId: 'd-1',
  deviceName: 'Werkstatt am Tor 2',
  companyId: 'c-1',
  since: '2026-11-20T09:40:00.000Z',
  until: null,
  acknowledgedBy: null,
  hint: 'Prüfe Strom und Netz der Uhr. Hat sie Strom, nimmt sie weiter Stempel an und schickt sie später.',
  ...more,
})

export const ALARMS: readonly Alarm[] = [
  alarm('a-3'),
  alarm('a-2', {
    kind: 'network',
    deviceId: null,
    deviceName: null,
    companyId: 'c-2',
    since: '2026-11-20T07:05:00.000Z',
    acknowledgedBy: 'System-Admin',
    hint: 'Keine Uhr der Firma meldet sich. Prüfe Internet und Router.',
  }),
  alarm('a-1', {
    kind: 'disk',
    deviceId: 'd-2',
    deviceName: 'Backstube',
    companyId: 'c-2',
    since: '2026-11-18T11:20:00.000Z',
    until: '2026-11-19T06:02:00.000Z',
    hint: null,
  }),
]

export const SETTINGS = {
  mail: true,
  quietFrom: '22:00',
  quietTo: '06:00',
  kinds: [
    'silent',
    'network',
    'few_stamps',
    'gap',
    'queue',
    'disk',
    'reader',
    'storage',
    'clocktime',
    'fork',
    'conflict',
    'update',
    'version',
    'cert',
  ],
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'admin', key: 'alarms' },
    answers: {
      'GET /api/companies': [
        { id: 'c-1', name: 'Tischlerei Holm' },
        { id: 'c-2', name: 'Bäckerei Krume' },
      ],
      'GET /api/alarms': ALARMS,
      'GET /api/alarm-settings': SETTINGS,
      'GET /api/updates/rollouts': ROLLOUTS,
    },
    shows: 'Netz der Firma weg',
  },
]
