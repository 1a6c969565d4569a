import type { Feature } from '../../features/feature'
import { Pencil } from '../../ui/icons'

export const notes: Feature = {
  pages: [
    {
      area: 'company',
      key: 'notes',
      label: 'Notizen',
      short: 'Notizen',
      icon: Pencil,
      aside: true,
      load: async () => (await import('./NotesPage')).NotesPage,
    },
  ],
}
