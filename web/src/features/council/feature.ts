import { Calendar, Clock, Scroll } from '../../ui/icons'
import type { Feature } from '../feature'

export const council: Feature = {
  pages: [
    {
      area: 'council',
      key: 'council_times',
      label: 'Zeiten und Konten',
      short: 'Zeiten',
      icon: Clock,
      aside: true,
      load: async () => (await import('./TimesPage')).TimesPage,
    },
    {
      area: 'council',
      key: 'council_plan',
      label: 'Dienstplan der Firma',
      short: 'Plan',
      icon: Calendar,
      aside: true,
      load: async () => (await import('./PlanPage')).PlanPage,
    },
    {
      area: 'council',
      key: 'council_looks',
      label: 'Wer hat Zeiten angesehen?',
      short: 'Zugriffe',
      icon: Scroll,
      aside: true,
      load: async () => (await import('./AccessLogPage')).AccessLogPage,
    },
  ],
}
