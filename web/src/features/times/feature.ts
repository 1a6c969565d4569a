import { Clock } from '../../ui/icons'
import type { Feature } from '../feature'
import { texts } from './texts'

export const times: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_times',
      label: texts.title,
      short: texts.short,
      icon: Clock,
      load: async () => (await import('./MyTimes')).MyTimes,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
