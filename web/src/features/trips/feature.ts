import { Swap } from '../../ui/icons'
import type { Feature } from '../feature'

export const trips: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_trips',
      label: 'Dienstfahrten',
      short: 'Fahrten',
      icon: Swap,
      aside: true,
      load: async () => (await import('./MyTrips')).MyTrips,
    },
    {
      area: 'company',
      key: 'trips',
      label: 'Dienstfahrten',
      short: 'Fahrten',
      icon: Swap,
      aside: true,
      load: async () => (await import('./TripsPage')).TripsPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
