/** The page of `docs/guides/add-a-page.md`, composed of the other groups' parts. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NotesPage } from '../example/NotesPage'
import type { Specimen } from '../specimen'

export const title = 'Beispiel einer Seite'

const queries = new QueryClient()

export const specimens: readonly Specimen[] = [
  {
    name: 'Notizen',
    render: () => (
      <QueryClientProvider client={queries}>
        <NotesPage />
      </QueryClientProvider>
    ),
  },
]
