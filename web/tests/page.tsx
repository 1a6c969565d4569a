/** Renders a piece of the app with what is around it in the real one: theme, queries, a router that starts somewhere. */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { vi } from 'vitest'
import { createQueries, tieToSession } from '../src/app/queries'
import { theme } from '../src/ui/theme'

function Where() {
  const { pathname, search } = useLocation()
  return <span data-testid="where">{pathname + search}</span>
}

export function renderPage(page: ReactNode, at: string | { pathname: string; state?: unknown } = '/') {
  const queries = createQueries()
  const stop = tieToSession(queries)
  const result = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={[at]}>
          {page}
          <Where />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...result, queries, stop, where: () => result.getByTestId('where').textContent }
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
        matches: media === '(min-width: 1100px)',
        media,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )
