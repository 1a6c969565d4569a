import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes, useNavigate } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../tests/page'
import { logInAs } from '../../../tests/server'
import { reload } from '../../api/session'
import { Frame } from './Frame'

let go: ReturnType<typeof useNavigate>

function Anywhere() {
  go = useNavigate()
  return <h1>Seite</h1>
}

const open = (at: string) =>
  renderPage(
    <Routes>
      <Route element={<Frame />}>
        <Route path="*" element={<Anywhere />} />
      </Route>
    </Routes>,
    at,
  )

beforeEach(() => {
  reload()
  logInAs()
})
afterEach(() => vi.useRealTimers())

describe('the foot', () => {
  it('names the year of today', () => {
    localStorage.clear()
    reload()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-06-01T12:00:00Z') })
    open('/')
    expect(screen.getByRole('contentinfo').textContent).toContain('© 2031 Stempelwerk')
  })
})

describe('the small menu', () => {
  it('closes behind a way that leads to another part of the same page', async () => {
    const { where } = open('/dashboard?tab=login')
    const toggle = () => screen.getByRole('button', { expanded: true })
    await userEvent.click(screen.getByRole('button', { name: 'Menü' }))
    expect(toggle().getAttribute('aria-label')).toBe('Menü schließen')
    const [, inMenu] = screen.getAllByRole('link', { name: 'Dashboard' })
    await userEvent.click(inMenu as HTMLElement)
    expect(where()).toBe('/dashboard')
    await waitFor(() => expect(screen.queryByRole('button', { expanded: true })).toBeNull())
  })
})

describe('a page begins at its top', () => {
  const scrolled = () => vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)

  it.each([
    ['/dashboard', '/produkte', 1],
    ['/dashboard?tab=my_times', '/dashboard?tab=login', 1],
    ['/dashboard?tab=my_times', '/dashboard?tab=my_times&monat=2026-10', 0],
    ['/admin?tab=logins', '/admin?tab=logins&firma=c-1', 0],
  ])('from %s to %s', async (from, to, times) => {
    const scroll = scrolled()
    open(from)
    expect(scroll).not.toHaveBeenCalled()
    await act(() => go(to))
    expect(scroll).toHaveBeenCalledTimes(times)
  })

  it('but where somebody was before, the way back leads to the same place', async () => {
    const scroll = scrolled()
    open('/produkte')
    await act(() => go('/services'))
    scroll.mockClear()
    await act(() => go(-1))
    expect(scroll).not.toHaveBeenCalled()
  })
})
