import { Download } from '../../ui/icons'
import type { Feature } from '../feature'

export const monthEnd: Feature = {
  pages: [
    {
      area: 'company',
      key: 'monthly_mail',
      label: 'Daten Export',
      short: 'Export',
      icon: Download,
      aside: true,
      module: 'monthly_mail',
      load: async () => (await import('./MonthEndPage')).MonthEndPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
