import { Key, Person } from '../../ui/icons'
import type { Feature } from '../feature'

export const account: Feature = {
  pages: [
    {
      area: 'employee',
      key: 'login',
      label: 'Login & Passwort',
      short: 'Login',
      icon: Key,
      aside: true,
      load: async () => (await import('./AccountPage')).AccountPage,
    },
    {
      area: 'company',
      key: 'login',
      label: 'Login & Passwort',
      short: 'Login',
      icon: Key,
      load: async () => (await import('./AccountPage')).AccountPage,
    },
    {
      area: 'admin',
      key: 'account',
      label: 'Login & Passwort',
      short: 'Login',
      icon: Person,
      aside: true,
      load: async () => (await import('./AccountPage')).AccountPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
