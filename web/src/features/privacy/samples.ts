/** A company that has agreed. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

export const CONSENT: components['schemas']['ConsentRow'] = {
  accepted: true,
  version: 'v1.0',
  acceptedAt: '2026-11-02T08:14:00.000Z',
  acceptedBy: 'Ingrid Holm',
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'privacy', module: 'privacy' },
    answers: { 'GET /api/companies/c-1/privacy-consent': CONSENT },
    shows: 'Bereits zugestimmt',
  },
]
