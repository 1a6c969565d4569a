/** The routes. The areas after the login are loaded on navigation. */
import type { QueryClient } from '@tanstack/react-query'
import { Navigate, type RouteObject, useLocation } from 'react-router'
import { type Session, useSession } from '../api/session'
import { type Fetched, fetched } from '../patterns/fetched'
import { type Area, areaOf, destination } from './areas'
import { Frame } from './frame/Frame'
import { Guard } from './guard'
import { Home } from './public/landing/Home'
import { Public } from './public/Public'
import { publicPages } from './public/pages'
import { withQueryClient } from './withQueryClient'

const AREAS: Readonly<Record<Area, Fetched<object>>> = {
  '/dashboard': fetched(withQueryClient(async () => (await import('./employee/EmployeeArea')).EmployeeArea)),
  '/company-dashboard': fetched(
    withQueryClient(async () => (await import('./company/CompanyArea')).CompanyArea),
  ),
  '/admin': fetched(withQueryClient(async () => (await import('./admin/AdminArea')).AdminArea)),
}

/** The target of the link in each monthly mail. Nothing else links there, and search engines must not index it. */
const Decline = fetched(
  withQueryClient(async () => (await import('../features/monthEnd/DeclinePage')).DeclinePage),
)

type Prepare = (queries: QueryClient, session: Session) => void

/** The first page of an area: its key, and its prefetch. */
const FIRST: Partial<Record<Area, [tab: string, load: () => Promise<{ prepare: Prepare }>]>> = {
  '/dashboard': ['my_schedule', () => import('../features/schedule/MySchedule')],
  '/company-dashboard': ['today', () => import('../features/today/TodayPage')],
}

/** Fetches the user's area, and in parallel its first page, before the first render. */
export function prepareArea(session: Session) {
  const area = areaOf(session.role)
  AREAS[area].prepare()
  const [tab, load] = FIRST[area] ?? []
  if (load === undefined || (new URLSearchParams(window.location.search).get('tab') ?? tab) !== tab) return
  Promise.all([load(), import('./AnswersCache')]).then(
    ([{ prepare }, { queries }]) => prepare(queries, session),
    () => {
      // The user sees an error when they open the page.
    },
  )
}

/** `/`, and every unknown path. */
function Root() {
  const session = useSession()
  const { state } = useLocation()
  return session === null ? <Home /> : <Navigate to={destination(session, state)} replace />
}

export const routes: RouteObject[] = [
  {
    element: <Frame />,
    children: [
      ...publicPages
        .filter(({ path }) => path !== '/')
        .map(page => ({ path: page.path, element: <Public key={page.path} page={page} /> })),
      { path: '/abmelden', element: <Decline /> },
      area('/dashboard'),
      area('/company-dashboard'),
      area('/admin'),
      { path: '*', element: <Root /> },
    ],
  },
]

function area(path: Area): RouteObject {
  const Content = AREAS[path]
  return {
    path,
    element: (
      <Guard area={path}>
        <Content />
      </Guard>
    ),
  }
}
