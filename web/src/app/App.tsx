/** The routes. The areas behind the login are loaded when somebody goes there. */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router'
import { useSession } from '../api/session'
import { theme, variables } from '../ui/theme'
import { destination } from './areas'
import { fetched } from './fetched'
import { Broken } from './frame/Broken'
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

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Frame />}>
        {publicPages.map(page => (
          <Route key={page.path} path={page.path} element={<PlainPage page={page} />} />
        ))}
        <Route
          path="/dashboard"
          element={
            <Guard area="/dashboard">
              <EmployeeArea />
            </Guard>
          }
        />
        <Route
          path="/company-dashboard"
          element={
            <Guard area="/company-dashboard">
              <CompanyArea />
            </Guard>
          }
        />
        <Route
          path="/admin"
          element={
            <Guard area="/admin">
              <AdminArea />
            </Guard>
          }
        />
        <Route path="*" element={<Root />} />
      </Route>
    </Routes>
  )
}

export function App() {
  const [queries] = useState(createQueries)
  useEffect(() => tieToSession(queries), [queries])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <Broken>
        <QueryClientProvider client={queries}>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
          <UpdatePrompt />
        </QueryClientProvider>
      </Broken>
    </MantineProvider>
  )
}
