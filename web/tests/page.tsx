/** Renders a piece of the app with what is around it in the real one: theme, queries, a router that starts somewhere. */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, renderHook, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { LeaveGuard } from '../src/app/frame/LeaveGuard'
import { createQueries, tieToSession } from '../src/app/queries'
import { Successes } from '../src/patterns/Successes'
import { theme } from '../src/ui/theme'
import { WIDE } from '../src/ui/useWide'

type Place = string | { pathname: string; search?: string; state?: unknown }

/** The app's routes, or one's own. `where` tells the address, `router` goes somewhere. */
export function renderRoutes(routes: RouteObject[], at: Place = '/') {
  const queries = createQueries()
  const stop = tieToSession(queries)
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  const result = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const where = () => router.state.location.pathname + router.state.location.search
  return { ...result, router, queries, stop, where }
}

/** A page alone, with what the frame does for it: it holds who has typed something, and says what is done. */
export function renderPage(page: ReactNode, at: Place = '/') {
  const element = (
    <>
      {page}
      <LeaveGuard />
      <Successes />
    </>
  )
  return renderRoutes([{ path: '*', element }], at)
}

/** A hook among the app's queries: what it returns, time by time. */
export function renderQueries<Result>(hook: () => Result) {
  const queries = createQueries()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  )
  return renderHook(hook, { wrapper }).result
}

/** Makes the window wide enough for tables. */
export const wide = () =>
  vi.spyOn(window, 'matchMedia').mockImplementation(
    media =>
      ({
        matches: media === WIDE,
        media,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )

/** The sentence by which the app says that something is done. */
export const success = (sentence: string) => screen.findByText(sentence)
