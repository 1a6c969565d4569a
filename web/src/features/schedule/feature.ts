import { Calendar } from '../../ui/icons'
import type { Feature } from '../feature'

export const schedule: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_schedule',
      label: 'Meine Termine',
      short: 'Termine',
      icon: Calendar,
      bare: true,
      load: async () => (await import('./MySchedule')).MySchedule,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
