import { Scale } from '../../ui/icons'
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
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
