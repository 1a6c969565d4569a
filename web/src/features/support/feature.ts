import { Question } from '../../ui/icons'
import type { Feature } from '../feature'

export const support: Feature = {
  pages: [
    {
      area: 'company',
      key: 'support',
      label: 'Support & Kontakt',
      short: 'Support',
      icon: Question,
      aside: true,
      load: async () => (await import('./SupportPage')).SupportPage,
    },
    {
      area: 'admin',
      key: 'support',
      label: 'Support-Nachrichten',
      short: 'Support',
      icon: Question,
      load: async () => (await import('./InboxPage')).InboxPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
