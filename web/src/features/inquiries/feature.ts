import { Inbox } from '../../ui/icons'
import type { Feature } from '../feature'

export const inquiries: Feature = {
  pages: [
    {
      area: 'admin',
      key: 'inquiries',
      label: 'Anfragen',
      short: 'Anfragen',
      icon: Inbox,
      load: async () => (await import('./InquiriesPage')).InquiriesPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
