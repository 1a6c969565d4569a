import { People, Scale } from '../../ui/icons'
import type { Feature } from '../feature'

export const balance: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_account',
      label: 'Zeitkonto',
      short: 'Konto',
      icon: Scale,
      bare: true,
      load: async () => (await import('./MyBalance')).MyBalance,
    },
    {
      area: 'company',
      key: 'my_account',
      label: 'Zeitkonto',
      short: 'Konto',
      icon: Scale,
      aside: true,
      stamping: true,
      load: async () => (await import('./MyBalance')).MyBalance,
    },
    {
      area: 'company',
      key: 'accounts',
      label: 'Zeitkonten',
      short: 'Konten',
      icon: People,
      aside: true,
      load: async () => (await import('./team/TeamPage')).TeamPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
