/** An urgent one with logs and an answer, and one that is closed. */
import type { Sample } from '../feature'
import type { Received } from './useSupport'

export const RECEIVED: readonly Received[] = [
  {
    id: 's-2',
    companyId: 'c-1',
    companyName: 'Tischlerei Holm',
    subject: 'Die Uhr in der Werkstatt piept nicht mehr',
    category: 'incident',
    priority: 'urgent',
    message: 'Seit gestern ist sie stumm.\nStempeln geht.',
    contactEmail: 'ingrid@holm.example',
    includeLogs: true,
    status: 'open',
    createdAt: '2026-11-20T07:40:00.000Z',
    replies: [
      { at: '2026-11-20T08:02:00.000Z', by: 'Support', message: 'Ist der Ton an der Uhr auf null gestellt?' },
    ],
    logs: [
      {
        createdAt: '2026-11-20T07:31:00.000Z',
        deviceId: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
        logMessage: 'sound_failed: Der Ton konnte nicht ausgegeben werden.',
      },
    ],
  },
  {
    id: 's-1',
    companyId: 'c-1',
    companyName: 'Tischlerei Holm',
    subject: 'Rechnung für Oktober',
    category: 'billing',
    priority: 'normal',
    message: 'Bitte an die neue Adresse.',
    contactEmail: null,
    includeLogs: false,
    status: 'closed',
    createdAt: '2026-11-03T13:10:00.000Z',
    replies: [],
    logs: [],
  },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'support' },
    answers: { 'GET /api/companies/c-1/support/messages': RECEIVED },
    shows: 'Rechnung für Oktober',
  },
  {
    page: { area: 'admin', key: 'support' },
    answers: { 'GET /api/support/messages': RECEIVED },
    shows: 'Rechnung für Oktober',
  },
]
