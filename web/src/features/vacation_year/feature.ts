import { Calendar, Sun } from '../../ui/icons'
import type { Feature } from '../feature'

export const vacationYear: Feature = {
  pages: [
    {
      area: 'company',
      key: 'vacation_year',
      label: 'Urlaub und Jahresende',
      short: 'Urlaub',
      icon: Sun,
      aside: true,
      module: 'absences',
      load: async () => (await import('./YearPage')).YearPage,
    },
    {
      area: 'company',
      key: 'leave_calendar',
      label: 'Urlaubskalender',
      short: 'Kalender',
      icon: Calendar,
      aside: true,
      module: 'absences',
      load: async () => (await import('./CalendarPage')).CalendarPage,
    },
  ],
}
