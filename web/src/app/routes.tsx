/** The routes. The areas behind the login are loaded when somebody goes there. */
import { Navigate, type RouteObject, useLocation } from 'react-router'
import { type Session, useSession } from '../api/session'
import { type Fetched, fetched } from '../patterns/fetched'
import { type Area, areaOf, destination } from './areas'
import { Frame } from './frame/Frame'
import { Guard } from './guard'
import { Home } from './public/Home'
import { PlainPage, publicPages } from './public/pages'

const AREAS: Readonly<Record<Area, Fetched<object>>> = {
  '/dashboard': fetched(async () => (await import('./employee/EmployeeArea')).EmployeeArea),
  '/company-dashboard': fetched(async () => (await import('./company/CompanyArea')).CompanyArea),
  '/admin': fetched(async () => (await import('./admin/AdminArea')).AdminArea),
}

const Checker = fetched(async () => (await import('../features/statement/CheckPage')).CheckPage)

/** The page that an area opens with. */
const FIRST: Partial<Record<Area, () => Promise<unknown>>> = {
  '/dashboard': () => import('../features/schedule/MySchedule'),
}

/** Fetches the area of who is logged in, and beside it the page it opens with, before anything has been drawn at all. */
export function prepareArea({ role }: Session) {
  const area = areaOf(role)
  AREAS[area].prepare()
  if (new URLSearchParams(window.location.search).has('tab')) return
  FIRST[area]?.().catch(() => {
    // Whoever comes to the page is told.
  })
}

/** `/`, and every path that nobody knows. */
function Root() {
  const session = useSession()
  const { state } = useLocation()
  return session === null ? <Home /> : <Navigate to={destination(session, state)} replace />
}

export const routes: RouteObject[] = [
  {
    element: <Frame />,
    children: [
      ...publicPages.map(page => ({ path: page.path, element: <PlainPage page={page} /> })),
      { path: '/pruefen', element: <Checker /> },
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
