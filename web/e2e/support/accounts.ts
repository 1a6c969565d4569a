/** A believable account and a believable log for the fake service. */
import type { components } from '../../src/api/schema'
import { SESSIONS } from '../../src/features/account/samples'
import { LOG } from '../../src/features/audit/samples'
import type { Service } from './service'

type AuditRow = components['schemas']['AuditRow']

/** A picture in the shape of the service's own: black squares on white, as large as an app's camera wants it. */
const QR = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><rect width="29" height="29" fill="white"/><path d="M4 4h7v7H4zM18 4h7v7h-7zM4 18h7v7H4zM13 5h3v2h-3zM14 9h2v3h-2zM5 13h4v2H5zM12 14h6v2h-6zM20 13h3v3h-3zM13 19h2v5h-2zM18 19h3v2h-3zM22 22h3v3h-3z"/></svg>',
)}`

export const CODES = Array.from({ length: 10 }, (_, index) => `k7qp-${index}x2m-9tdw-h4wm`)

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

/** The login's answer when it goes on. */
export function layOutStep(service: Service, next: string, emailHint: string | null = null) {
  const body = { success: true, message: '', next, temp_token: 'temp-1', emailHint }
  service.answers.set('POST /api/login', { body })
  service.answers.set('POST /api/auth/email/start', { body: { ok: true, message: '' } })
  const wrong = { ok: false, code: 'wrong_code', message: 'Code ungültig oder abgelaufen' }
  service.answers.set('POST /api/auth/email/verify', { status: 401, body: wrong })
}

export function layOutCompany(service: Service, log: readonly AuditRow[] = LOG) {
  const { answers } = service
  const link = '</api/companies/c-1/audit?before=a-6>; rel="next"'
  const features = [{ id: 'f-1', key: 'not_built_yet', label: 'Noch im Bau' }]
  answers.set('GET /api/companies/c-1/features', { body: features })
  answers.set('GET /api/companies/c-1/audit', { body: log, headers: log.length > 0 ? { Link: link } : {} })
  answers.set('GET /api/companies/c-1/audit/kinds', { body: [...new Set(log.map(({ action }) => action))] })
  answers.set('GET /api/companies/c-1/users', { body: [{ id: 'u-1', username: 'Mia Sommer' }] })
}
