/** What a week brings: offers with and without an address, and a letter. */
import type { Sample } from '../feature'
import type { Inquiry } from './inquiry'

export const INQUIRIES: readonly Inquiry[] = [
  {
    id: 'i-3',
    kind: 'offer',
    createdAt: '2026-11-20T09:42:00.000Z',
    fields: {
      anzahl: 12,
      version: 'quickfix',
      branding: true,
      kundenname: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk GmbH',
      logo: 'logo-2026.svg',
      support: 'premium',
      hosting: 'cloud',
      name: 'Paula Ostermann',
      email: 'p.ostermann@donau-werk.example',
      nachricht: 'Wir öffnen im März.\nGeht es bis dahin?',
    },
  },
  {
    id: 'i-2',
    kind: 'contact',
    createdAt: '2026-11-19T16:05:00.000Z',
    fields: {
      name: 'Karim Yıldız',
      email: 'karim@baeckerei-yildiz.example',
      nachricht:
        'Guten Tag,\n\nwir backen ab drei Uhr nachts. Zählt die Schicht dann zum Vortag, und wer sieht das?',
    },
  },
  {
    id: 'i-1',
    kind: 'offer',
    createdAt: '2026-11-12T07:30:00.000Z',
    fields: { anzahl: 1, version: 'wand', branding: false, support: 'basis', hosting: 'local' },
  },
]

export const samples: readonly Sample[] = [
  {
    page: { area: 'admin', key: 'inquiries' },
    answers: { 'GET /api/inquiries': INQUIRIES },
    shows: 'Ohne Namen',
  },
]
