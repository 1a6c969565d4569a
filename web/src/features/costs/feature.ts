import { Scale } from '../../ui/icons'
import type { Feature } from '../feature'

export const costs: Feature = {
  pages: [
    {
      area: 'company',
      key: 'costs',
      label: 'Mitarbeiterkosten einsehen',
      short: 'Kosten',
      icon: Scale,
      aside: true,
      module: 'costs',
      load: async () => (await import('./CostsPage')).CostsPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
