import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http } from 'msw'
import { useNavigate } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderRoutes, success } from '../../../tests/page'
import { logInAs, MIA, never, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { succeed } from '../../patterns/succeed'
import { Frame } from './Frame'

let go: ReturnType<typeof useNavigate>

function Anywhere() {
  go = useNavigate()
  return <h1>Seite</h1>
}

const open = (at: string) =>
  renderRoutes([{ element: <Frame />, children: [{ path: '*', element: <Anywhere /> }] }], at)

serve()
beforeEach(() => {
  reload()
  logInAs()
})

describe('the foot', () => {
  it('names the year in which the product appeared, and reaches the contact by a full load of the page', () => {
    localStorage.clear()
    reload()
    open('/')
    const foot = within(screen.getByRole('contentinfo'))
    expect(foot.getByText('© 2025 Stempelwerk')).toBeTruthy()
    const hrefs = ['Impressum', 'Datenschutz', 'Kontakt'].map(name =>
      foot.getByRole('link', { name }).getAttribute('href'),
    )
    expect(hrefs).toEqual(['/impressum', '/datenschutz', '/kontakt'])
  })

  it('stands under every public page, whoever reads it, and under no page of an area', () => {
    open('/produkte')
    expect(screen.getByRole('contentinfo')).toBeTruthy()
    cleanup()
    open('/dashboard')
    expect(screen.queryByRole('contentinfo')).toBeNull()
  })
})

describe('the foot for who is logged in', () => {
  it.each([
    ['/shop', 1],
    ['/datenschutz/', 1],
    ['/dashboard', 0],
  ])('is there on public pages alone: %s', (path, count) => {
    open(path)
    expect(screen.queryAllByRole('contentinfo')).toHaveLength(count)
  })
})

describe('the way past the navigation', () => {
  it('leads to the content, and is no step of the browser’s Back', async () => {
    const { where } = open('/produkte')
    await userEvent.click(screen.getByRole('link', { name: 'Zum Inhalt springen' }))
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(where()).toBe('/produkte')
    expect(window.location.hash).toBe('')
  })
})

describe('the account menu', () => {
  const button = () => screen.findByRole('button', { name: /^Mia Sommer/ })

  it('names the person and the company', async () => {
    open('/dashboard')
    await waitFor(async () => expect((await button()).textContent).toBe('Mia Sommer · Tischlerei Holm'))
  })

  it('names the person alone while nobody knows the company', async () => {
    server.use(http.get(url('/api/companies/c-1'), never))
    open('/dashboard')
    expect((await button()).textContent).toBe('Mia Sommer')
  })

  it.each([
    ['user', '/dashboard?tab=login'],
    ['companyAdmin', '/company-dashboard?tab=login'],
    ['admin', '/admin?tab=account'],
  ])('leads %s to the page of their account, and closes', async (role, to) => {
    logInAs({ ...MIA, role })
    const { where } = open('/produkte')
    await userEvent.click(await button())
    expect((await button()).getAttribute('aria-expanded')).toBe('true')
    await userEvent.click(screen.getByRole('link', { name: 'Login & Passwort' }))
    expect(where()).toBe(to)
    await waitFor(async () => expect((await button()).getAttribute('aria-expanded')).toBe('false'))
  })

  it('is there for nobody who is not logged in', () => {
    localStorage.clear()
    reload()
    open('/')
    expect(screen.queryByRole('button', { name: /^Mia Sommer/ })).toBeNull()
    expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy()
  })

  it('is said on paper above the page: whose it is', async () => {
    open('/dashboard')
    await waitFor(() => expect(screen.getByRole('main').textContent).toMatch(/^Mia Sommer · Tischlerei Holm/))
  })
})

describe('what is done', () => {
  it('is said on every page', async () => {
    open('/dashboard')
    act(() => succeed('Gespeichert.'))
    await success('Gespeichert.')
  })
})

describe('the small menu', () => {
  it('closes behind a way that leads to another part of the same page', async () => {
    const { where } = open('/dashboard?tab=login')
    await userEvent.click(screen.getByRole('button', { name: 'Menü' }))
    expect(screen.getByRole('button', { name: 'Menü schließen' }).getAttribute('aria-expanded')).toBe('true')
    const [, inMenu] = screen.getAllByRole('link', { name: 'Dashboard' })
    await userEvent.click(inMenu as HTMLElement)
    expect(where()).toBe('/dashboard')
    await waitFor(() => expect(screen.queryByRole('button', { expanded: true })).toBeNull())
  })

  it('has no way out: on a phone that stands behind "Mehr" alone', async () => {
    open('/dashboard')
    await userEvent.click(screen.getByRole('button', { name: 'Menü' }))
    const menu = document.getElementById('small-menu') as HTMLElement
    expect(
      within(menu)
        .getAllByRole('link')
        .map(link => link.textContent),
    ).toEqual(['Dashboard', 'Produkte', 'Services', 'Newsletter', 'Shop', 'Über uns', 'Kontakt'])
    expect(within(menu).queryByRole('button')).toBeNull()
    // The next one moves to the bar at the bottom.
    expect(
      screen.getAllByRole('button', { name: 'Logout' }).map(element => /\blogout\b/.test(element.className)),
    ).toEqual([true])
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
    await act(async () => go(to))
    expect(scroll).toHaveBeenCalledTimes(times)
  })

  it('but where somebody was before, the way back leads to the same place', async () => {
    const scroll = scrolled()
    open('/produkte')
    await act(async () => go('/services'))
    scroll.mockClear()
    await act(async () => go(-1))
    expect(scroll).not.toHaveBeenCalled()
  })
})
