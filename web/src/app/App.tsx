/** The routes. The areas behind the login are loaded when somebody goes there. */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, RouterProvider, useLocation } from 'react-router'
import { useSession } from '../api/session'
import { theme, variables } from '../ui/theme'
import { type Area, destination } from './areas'
import { fetched } from './fetched'
import { Broken, BrokenPage } from './frame/Broken'
import { Frame } from './frame/Frame'
import { Guard } from './guard'
import { Home } from './public/Home'
import { PlainPage, publicPages } from './public/pages'
import { createQueries, tieToSession } from './queries'
import { UpdatePrompt } from './UpdatePrompt'

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
    // A page that breaks is the router's to catch.
    errorElement: <BrokenPage />,
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

export function App() {
  const [queries] = useState(createQueries)
  const [router] = useState(() => createBrowserRouter(routes))
  useEffect(() => tieToSession(queries), [queries])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <Broken>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <UpdatePrompt />
        </QueryClientProvider>
      </Broken>
    </MantineProvider>
  )
}
