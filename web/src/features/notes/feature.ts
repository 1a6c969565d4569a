import { Pencil } from '../../ui/icons'
import type { Feature } from '../feature'
import { texts } from './texts'

export const notes: Feature = {
  pages: [
    {
      area: 'company',
      key: 'notes',
      label: texts.title,
      short: texts.short,
      icon: Pencil,
      module: 'schedule',
      load: async () => (await import('./NotesPage')).NotesPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
