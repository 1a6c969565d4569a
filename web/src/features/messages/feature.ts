import type { Session } from '../../api/session'
import { Inbox } from '../../ui/icons'
import type { Feature, Waiting } from '../feature'
import { useOfferCount } from './offers'

function useWaiting(session: Session): Waiting {
  const count = useOfferCount(session)
  return { count, words: count === 1 ? '1 offene Übergabe' : `${count} offene Übergaben` }
}

export const messages: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_messages',
      label: 'Meine Nachrichten',
      short: 'Nachrichten',
      icon: Inbox,
      bare: true,
      useWaiting,
      load: async () => (await import('./MessagesPage')).MyMessages,
    },
    {
      area: 'company',
      key: 'messages',
      label: 'Nachrichten',
      short: 'Nachrichten',
      icon: Inbox,
      load: async () => (await import('./MessagesPage')).CompanyMessages,
    },
  ],
}
