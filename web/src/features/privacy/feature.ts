import { Check } from '../../ui/icons'
import type { Feature } from '../feature'

export const privacy: Feature = {
  pages: [
    {
      area: 'company',
      key: 'privacy',
      label: 'Datenschutz zustimmen',
      short: 'Datenschutz',
      icon: Check,
      aside: true,
      module: 'privacy',
      load: async () => (await import('./PrivacyPage')).PrivacyPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
