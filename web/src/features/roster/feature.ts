import { Calendar } from '../../ui/icons'
import type { Feature } from '../feature'

export const roster: Feature = {
  pages: [
    {
      area: 'company',
      key: 'schedule',
      label: 'Dienstplan verwalten',
      short: 'Dienstplan',
      icon: Calendar,
      module: 'schedule',
      load: async () => (await import('./RosterPage')).RosterPage,
    },
  ],
}
