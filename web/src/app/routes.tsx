/** The routes. The areas behind the login are loaded when somebody goes there. */
import type { ReactNode } from 'react'
import { Navigate, type RouteObject, useLocation } from 'react-router'
import { useSession } from '../api/session'
import { type Area, destination } from './areas'
import { fetched } from './fetched'
import { Frame } from './frame/Frame'
import { Guard } from './guard'
import { Home } from './public/Home'
import { PlainPage, publicPages } from './public/pages'

const EmployeeArea = fetched(async () => (await import('./employee/EmployeeArea')).EmployeeArea)
const CompanyArea = fetched(async () => (await import('./company/CompanyArea')).CompanyArea)
const AdminArea = fetched(async () => (await import('./admin/AdminArea')).AdminArea)

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
      area('/dashboard', <EmployeeArea />),
      area('/company-dashboard', <CompanyArea />),
      area('/admin', <AdminArea />),
      { path: '*', element: <Root /> },
    ],
  },
]

function area(path: Area, element: ReactNode): RouteObject {
  return { path, element: <Guard area={path}>{element}</Guard> }
}
