import { People } from '../../ui/icons'
import type { Feature } from '../feature'

export const present: Feature = {
  pages: [
    {
      area: 'council',
      key: 'present',
      label: 'Anwesende Mitarbeiter',
      short: 'Anwesende',
      icon: People,
      aside: true,
      load: async () => (await import('./PresentPage')).PresentPage,
    },
    {
      area: 'company',
      key: 'present',
      label: 'Anwesende Mitarbeiter',
      short: 'Anwesende',
      icon: People,
      module: 'present',
      load: async () => (await import('./PresentPage')).PresentPage,
    },
  ],
}
