import { useGet } from '../../patterns/useGet'
import { Question } from '../../ui/icons'
import type { Feature, Waiting } from '../feature'

/** Above the largest number that the menu's mark shows. */
const COUNT_LIMIT = 100

function useWaiting(): Waiting {
  const params = { query: { status: 'open' as const, limit: COUNT_LIMIT } }
  const count = useGet('/api/support/messages', params, { live: ['support_update'] }).data?.length ?? 0
  return { count, words: count === 1 ? '1 offene Nachricht' : `${count} offene Nachrichten` }
}

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
      useWaiting,
      load: async () => (await import('./InboxPage')).InboxPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
