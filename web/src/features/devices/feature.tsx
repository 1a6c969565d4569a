import { Chip } from '../../ui/icons'
import type { Feature } from '../feature'

export const devices: Feature = {
  pages: [
    {
      area: 'company',
      key: 'devices',
      label: 'Geräte verwalten',
      short: 'Geräte',
      icon: Chip,
      aside: true,
      module: 'devices',
      load: async () => {
        const { DevicesPage } = await import('./DevicesPage')
        return ({ session }) => <DevicesPage companyId={session.companyId} />
      },
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
