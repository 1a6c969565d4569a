import { Clock } from '../../ui/icons'
import type { Feature } from '../feature'

export const hours: Feature = {
  pages: [
    {
      area: 'company',
      key: 'hours_config',
      label: 'Arbeitszeiten konfigurieren',
      short: 'Arbeitszeiten',
      icon: Clock,
      aside: true,
      module: 'hours_config',
      load: async () => (await import('./HoursPage')).HoursPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
