import { Key, Person } from '../../ui/icons'
import type { Feature } from '../feature'
import { texts } from './texts'

export const account: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'login',
      label: texts.titleOfEmployee,
      short: texts.short,
      icon: Key,
      aside: true,
      load: async () => (await import('./AccountPage')).EmployeeAccountPage,
    },
    {
      area: 'company',
      key: 'login',
      label: texts.title,
      short: texts.short,
      icon: Key,
      load: async () => (await import('./AccountPage')).AccountPage,
    },
    {
      area: 'admin',
      key: 'account',
      label: texts.titleOfEmployee,
      short: texts.short,
      icon: Person,
      aside: true,
      load: async () => (await import('./AccountPage')).AccountPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
