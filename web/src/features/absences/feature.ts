import { Sun } from '../../ui/icons'
import type { Feature } from '../feature'

export const absences: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'my_absences',
      label: 'Meine Abwesenheiten',
      short: 'Abwesend',
      icon: Sun,
      aside: true,
      bare: true,
      load: async () => (await import('./MyAbsences')).MyAbsences,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
