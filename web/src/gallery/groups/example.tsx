/** The page of `docs/guides/add-a-page.md`, made of what the other groups show one by one. */
import { NotesPage } from '../example/NotesPage'
import type { Specimen } from '../specimen'

export const title = 'Beispiel einer Seite'

export const specimens: readonly Specimen[] = [{ name: 'Notizen', render: () => <NotesPage /> }]
