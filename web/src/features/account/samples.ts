/** An account without an authenticator, logged in on two devices. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

export const SESSIONS: components['schemas']['SessionRow'][] = [
  {
    id: 's-1',
    device: 'Firefox auf Windows',
    createdAt: '2026-11-20T06:58:00.000Z',
    lastSeen: '2026-11-20T10:09:00.000Z',
    current: true,
  },
  {
    id: 's-2',
    device: 'Chrome auf Android',
    createdAt: '2026-11-19T19:02:00.000Z',
    lastSeen: '2026-11-20T09:41:00.000Z',
    current: false,
  },
]

const answers = {
  'GET /api/auth/2fa/status': { ok: true, message: '', enabled: false, recoveryCodesLeft: 0 },
  'GET /api/auth/sessions': SESSIONS,
}

export const samples: readonly Sample[] = [
  { page: { area: 'employee', key: 'login' }, answers, shows: 'Chrome auf Android' },
  { page: { area: 'company', key: 'login' }, answers, shows: 'Chrome auf Android' },
  { page: { area: 'admin', key: 'account' }, answers, shows: 'Chrome auf Android' },
]
