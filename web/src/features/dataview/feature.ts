import { Layers } from '../../ui/icons'
import type { Feature } from '../feature'

export const dataView: Feature = {
  pages: [
    {
      area: 'company',
      key: 'data_view',
      label: 'Gespeicherte Firmendaten sehen',
      short: 'Firmendaten',
      icon: Layers,
      aside: true,
      module: 'data_view',
      load: async () => (await import('./DataPage')).DataPage,
    },
  ],
}
