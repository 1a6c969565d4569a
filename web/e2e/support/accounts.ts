/** A believable account and a believable log, laid out for the stand-in of the service. */
import type { components } from '../../src/api/schema'
import type { Service } from './service'

type Schemas = components['schemas']
type AuditRow = Schemas['AuditRow']

const HASH = '9f2b64c1d07e5a38'.repeat(4)

/** A picture in the shape of the service's own: black squares on white, as large as an app's camera wants it. */
const QR = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><rect width="29" height="29" fill="white"/><path d="M4 4h7v7H4zM18 4h7v7h-7zM4 18h7v7H4zM13 5h3v2h-3zM14 9h2v3h-2zM5 13h4v2H5zM12 14h6v2h-6zM20 13h3v3h-3zM13 19h2v5h-2zM18 19h3v2h-3zM22 22h3v3h-3z"/></svg>',
)}`

export const CODES = Array.from({ length: 10 }, (_, index) => `k7qp-${index}x2m-9tdw-h4wm`)

const SESSIONS: Schemas['SessionRow'][] = [
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

export function layOutAccount(service: Service, enabled = false, recoveryCodesLeft = 10) {
  const { answers } = service
  answers.set('GET /api/auth/2fa/status', { body: { ok: true, message: '', enabled, recoveryCodesLeft } })
  answers.set('POST /api/auth/2fa/setup/start', {
    body: { ok: true, qrDataUrl: QR, secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  })
  answers.set('POST /api/auth/2fa/setup/verify', { body: { ok: true, message: '', recoveryCodes: CODES } })
  answers.set('GET /api/auth/sessions', { body: SESSIONS })
}

/** How the service refuses to set the authenticator up. */
export function layOutPassword(service: Service, status: number, code: string, message = 'Nein.') {
  service.answers.set('POST /api/auth/2fa/setup/start', { status, body: { ok: false, code, message } })
}

/** What the login answers when it goes on. */
export function layOutStep(service: Service, next: string, emailHint: string | null = null) {
  const body = { success: true, message: '', next, temp_token: 'temp-1', emailHint }
  service.answers.set('POST /api/login', { body })
  service.answers.set('POST /api/auth/email/start', { body: { ok: true, message: '' } })
  const wrong = { ok: false, code: 'wrong_code', message: 'Code ungültig oder abgelaufen' }
  service.answers.set('POST /api/auth/email/verify', { status: 401, body: wrong })
}

function row(index: number, action: string, more: Partial<AuditRow> = {}): AuditRow {
  return {
    id: `a-${index}`,
    at: `2026-11-${String(20 - index).padStart(2, '0')}T10:0${index}:00.000Z`,
    actor: 'u-2',
    actorName: 'Ingrid Holm',
    action,
    subject: 'u-1',
    subjectName: 'Mia Sommer',
    before: null,
    after: null,
    hash: HASH.slice(index) + HASH.slice(0, index),
    ...more,
  }
}

export const LOG: readonly AuditRow[] = [
  row(0, 'user.role', { before: { role: 'user' }, after: { role: 'companyAdmin' } }),
  row(1, 'user.tag', {
    before: { tag: null },
    after: { tag: '04A1B2C3D4E5F6', tagFrom: '2026-11-19T06:00:00.000Z' },
  }),
  row(2, 'company.features', {
    actorName: 'System-Admin',
    actor: 'u-3',
    before: { features: ['costs', 'schedule'] },
    after: { features: ['absences', 'error_log', 'schedule'] },
  }),
  row(3, 'user.password_changed', { actor: 'u-1', actorName: 'Mia Sommer' }),
  row(4, 'company.settings', {
    before: { validFrom: '2026-12-01', breakPolicy: 'statutory', employeesMayDelete: true },
    after: { validFrom: '2026-12-01', breakPolicy: 'none', employeesMayDelete: false },
  }),
  row(5, 'device.changed', {
    subjectName: 'Werkstatt am Tor 2',
    before: { name: 'Uhr 1', notes: null },
    after: { name: 'Werkstatt am Tor 2', notes: 'Ersatzschlüssel beim Pförtner' },
  }),
  row(6, 'user.created', {
    actor: null,
    actorName: null,
    after: { username: 'Mia Sommer', role: 'user', tag: '04A1B2C3D4E5F6' },
  }),
]

export function layOutCompany(service: Service, log: readonly AuditRow[] = LOG) {
  const { answers } = service
  const link = '</api/companies/c-1/audit?before=a-6>; rel="next"'
  const features = [{ id: 'f-1', key: 'schedule', label: 'Dienstplan verwalten' }]
  answers.set('GET /api/companies/c-1/features', { body: features })
  answers.set('GET /api/companies/c-1/audit', { body: log, headers: log.length > 0 ? { Link: link } : {} })
  answers.set('GET /api/companies/c-1/audit/kinds', { body: [...new Set(log.map(({ action }) => action))] })
  answers.set('GET /api/companies/c-1/users', { body: [{ id: 'u-1', username: 'Mia Sommer' }] })
}
