import { Clock, Question } from '../../ui/icons'
import type { Feature } from '../feature'

export const times: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_times',
      label: 'Meine Zeiten',
      short: 'Zeiten',
      icon: Clock,
      bare: true,
      load: async () => (await import('./MyTimes')).MyTimes,
    },
    {
      area: 'company',
      key: 'my_times',
      label: 'Meine Zeiten',
      short: 'Zeiten',
      icon: Clock,
      aside: true,
      stamping: true,
      load: async () => (await import('./MyTimes')).MyTimes,
    },
    {
      area: 'company',
      key: 'review',
      label: 'Prüfliste',
      short: 'Prüfen',
      icon: Question,
      load: async () => (await import('./review/ReviewPage')).ReviewPage,
    },
    {
      area: 'council',
      key: 'review',
      label: 'Prüfliste',
      short: 'Prüfen',
      icon: Question,
      aside: true,
      load: async () => (await import('./review/ReviewPage')).ReviewPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
