import { CalendarNow } from '../../ui/icons'
import type { Feature } from '../feature'

export const today: Feature = {
  pages: [
    {
      area: 'company',
      key: 'today',
      label: 'Heute',
      short: 'Heute',
      icon: CalendarNow,
      bare: true,
      load: async () => (await import('./TodayPage')).TodayPage,
    },
  ],
}
