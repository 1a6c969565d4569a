/** A believable log. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type AuditRow = components['schemas']['AuditRow']

const HASH = '9f2b64c1d07e5a38'.repeat(4)

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

/** That of the operator's own company. */
const OPERATORS: readonly AuditRow[] = [
  row(0, 'rollout.stopped', {
    actor: null,
    actorName: null,
    subjectName: '1.6.0 (stable)',
    after: { reason: 'Leser gestört: 4 von 5 aktualisierten Uhren, 0 von 95 anderen.' },
  }),
  row(1, 'rollout.started', {
    actor: 'u-3',
    actorName: 'System-Admin',
    subjectName: '1.6.0 (stable)',
    after: { version: '1.6.0', channel: 'stable' },
  }),
  row(2, 'company.created', {
    actor: 'u-3',
    actorName: 'System-Admin',
    subjectName: 'Tischlerei Holm',
    after: { name: 'Tischlerei Holm' },
  }),
]

/** The operator log. */
const OPERATOR_LOG: readonly components['schemas']['OperatorLogRow'][] = [
  operatorRow(0, 'user.locked', { companyId: 'c-1', companyName: 'Tischlerei Holm' }),
  operatorRow(1, 'login.failed', { subject: 'u-3', subjectName: 'technik', network: '198.51.100.0/24' }),
  operatorRow(2, 'company.features', {
    companyId: 'c-1',
    companyName: 'Tischlerei Holm',
    before: { features: ['costs', 'schedule'] },
    after: { features: ['absences', 'error_log', 'schedule'] },
  }),
  operatorRow(3, 'server.time_confirmed', { actor: null, actorName: 'Server', network: '' }),
]

function operatorRow(
  index: number,
  action: string,
  more: Partial<components['schemas']['OperatorLogRow']> = {},
): components['schemas']['OperatorLogRow'] {
  return {
    id: `o-${index}`,
    at: `2026-11-${String(20 - index).padStart(2, '0')}T10:0${index}:00.000Z`,
    actor: 'u-3',
    actorName: 'technik',
    action,
    companyId: null,
    companyName: null,
    subject: 'u-1',
    subjectName: 'Mia Sommer',
    before: null,
    after: null,
    network: '192.0.2.0/24',
    ...more,
  }
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'audit' },
    answers: {
      'GET /api/companies/c-1/audit': LOG,
      'GET /api/companies/c-1/audit/kinds': LOG.map(({ action }) => action),
      'GET /api/companies/c-1/users': [{ id: 'u-1', username: 'Mia Sommer' }],
    },
    shows: 'Die Rolle von Mia Sommer wurde geändert.',
  },
  {
    page: { area: 'admin', key: 'audit' },
    answers: {
      'GET /api/companies/c-0/audit': OPERATORS,
      'GET /api/companies/c-0/audit/kinds': OPERATORS.map(({ action }) => action),
      'GET /api/companies/c-0/users': [{ id: 'u-3', username: 'System-Admin' }],
    },
    shows: 'Der Rollout von 1.6.0 (stable) wurde gestoppt.',
  },
  {
    page: { area: 'admin', key: 'operators' },
    answers: { 'GET /api/operator-log': OPERATOR_LOG },
    shows: 'Das Konto von Mia Sommer wurde gesperrt.',
  },
]
