/** The page of `docs/guides/add-a-page.md`, composed of the other groups' parts. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { Session } from '../../api/session'
import { fakeService } from '../example/fakeService'
import { NotesPage } from '../example/NotesPage'
import type { Specimen } from '../specimen'

export const title = 'Beispiel einer Seite'

export const prepare = fakeService

const queries = new QueryClient()
const SESSION: Session = {
  token: '',
  role: 'companyAdmin',
  username: 'Ingrid Holm',
  companyId: 'c-1',
  userId: 'u-1',
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Notizen',
    render: () => (
      <QueryClientProvider client={queries}>
        <NotesPage session={SESSION} />
      </QueryClientProvider>
    ),
  },
]
