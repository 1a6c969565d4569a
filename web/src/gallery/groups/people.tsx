/** Components of pages about people and companies. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { CompanyPicker } from '../../entities/companies/CompanyPicker'
import { OfCompany } from '../../entities/companies/OfCompany'
import { COMPANIES as COMPANIES_KEY } from '../../entities/companies/useCompanies'
import { LockedBadge, NoActions, NobodyFound, PeopleSearch, RoleBadge } from '../../entities/people/parts'
import { Skeleton } from '../../ui/states'
import { COMPANIES, PEOPLE } from '../data'
import { Row, StatefulSpecimen } from '../parts'
import { noop, press, type Specimen } from '../specimen'

export const title = 'Personen und Firmen'

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
queries.setQueryData(COMPANIES_KEY, COMPANIES)

function Choosing({ company, picker = false }: { company?: string; picker?: boolean }) {
  return (
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[company === undefined ? '/' : `/?firma=${company}`]}>
        {picker ? (
          <CompanyPicker />
        ) : (
          <OfCompany skeleton={<Skeleton />}>{({ name }) => <p>{name}</p>}</OfCompany>
        )}
      </MemoryRouter>
    </QueryClientProvider>
  )
}

export const specimens: readonly Specimen[] = [
  {
    name: 'Rollen und Sperre',
    render: () => (
      <Row>
        {PEOPLE.filter(({ id }) => ['u-1', 'u-2', 'u-5'].includes(id)).map(user => (
          <RoleBadge key={user.id} user={user} />
        ))}
        <LockedBadge />
      </Row>
    ),
  },
  {
    name: 'Warum nichts getan werden kann',
    render: () => (
      <>
        {PEOPLE.filter(({ id }) => ['u-1', 'u-5'].includes(id)).map(user => (
          <NoActions key={user.id} user={user} />
        ))}
      </>
    ),
  },
  {
    name: 'Jemanden suchen',
    render: () => (
      <Row>
        <StatefulSpecimen of="">
          {(words, set) => <PeopleSearch words={words} onWords={set} />}
        </StatefulSpecimen>
      </Row>
    ),
  },
  { name: 'Niemand gefunden', render: () => <NobodyFound onShowAll={noop} /> },
  { name: 'Keine Firma gewählt', render: () => <Choosing /> },
  { name: 'Eine Firma gewählt', render: () => <Choosing company="c-1" /> },
  {
    name: 'Eine Firma auswählen',
    room: 200,
    render: () => <Choosing company="c-2" picker />,
    act: press('input'),
  },
]
