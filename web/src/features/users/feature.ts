import { Key, People } from '../../ui/icons'
import type { Feature } from '../feature'

export const users: Feature = {
  pages: [
    {
      area: 'company',
      key: 'manage_employees',
      label: 'Mitarbeiter verwalten',
      short: 'Mitarbeiter',
      icon: People,
      module: 'manage_employees',
      load: async () => (await import('./employees/EmployeesPage')).EmployeesPage,
    },
    {
      area: 'admin',
      key: 'logins',
      label: 'Logins verwalten',
      short: 'Logins',
      icon: People,
      load: async () => (await import('./LoginsPage')).LoginsPage,
    },
    {
      area: 'admin',
      key: 'passwords',
      label: 'Passwort zurücksetzen',
      short: 'Passwörter',
      icon: Key,
      load: async () => (await import('./ResetPage')).ResetPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
