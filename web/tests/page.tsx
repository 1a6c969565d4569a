/** Renders a piece of the app with what is around it in the real one: theme, queries, a router that starts somewhere. */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { UNSAFE_createMemoryHistory as createMemoryHistory, type RouteObject } from 'react-router'
import { afterEach, vi } from 'vitest'
import { tieDevice } from '../src/app/device'
import { BlockableHistory } from '../src/app/frame/blockableHistory'
import { Routed } from '../src/app/frame/Routed'
import { createQueries, tieToSession } from '../src/app/queries'
import { Successes } from '../src/patterns/Successes'
import { theme } from '../src/ui/theme'

type Place = string | { pathname: string; search?: string; state?: unknown }

/** Whoever logs in for the next test is no business of a page of this one, and finds nothing that it knew. */
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** The app's routes, or one's own. `where` tells the address, `go` leads somewhere else. */
export function renderRoutes(routes: RouteObject[], at: Place = '/') {
  const queries = createQueries()
  const unties = [tieToSession(queries), tieDevice()]
  stops.push(() => {
    for (const untie of unties) untie()
    queries.clear()
  })
  const history = new BlockableHistory(createMemoryHistory({ initialEntries: [at], v5Compat: true }))
  const result = render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>
        <Routed routes={routes} history={history} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const where = () => history.location.pathname + history.location.search
  const go = (to: string) => act(() => history.push(to))
  return { ...result, history, go, queries, where }
}

/** A page alone, with what the frame does for it: it holds who has typed something, and says what is done. */
export function renderPage(page: ReactNode, at: Place = '/') {
  const element = (
    <>
      {page}
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
        matches: media.startsWith('(min-width'),
        media,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )

/** Fills in a text at once, where typing is not what matters: a form is drawn anew with every key. */
export async function fill(field: HTMLElement, text: string) {
  act(() => field.focus())
  await userEvent.paste(text)
}

/** The sentence by which the app says that something is done. */
export const success = (sentence: string) => screen.findByText(sentence)
