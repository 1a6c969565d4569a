import { Key, People } from '../../ui/icons'
import type { Feature } from '../feature'
import { texts } from './texts'

export const users: Feature = {
  pages: [
    {
      area: 'admin',
      key: 'logins',
      label: texts.loginsTitle,
      short: texts.loginsShort,
      icon: People,
      load: async () => (await import('./LoginsPage')).LoginsPage,
    },
    {
      area: 'admin',
      key: 'passwords',
      label: texts.resetTitle,
      short: texts.resetShort,
      icon: Key,
      load: async () => (await import('./ResetPage')).ResetPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
