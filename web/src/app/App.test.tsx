import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { AppWithQueries } from '../../tests/app'
import { layEvents } from '../../tests/events'
import { eventually } from '../../tests/eventually'
import { fill } from '../../tests/page'
import {
  accountAnswers,
  auditAnswers,
  logInAs,
  MIA,
  planAnswers,
  refusal,
  serve,
  server,
  timesAnswer,
  url,
} from '../../tests/server'
import { currentSession, followOtherTabs, reload } from '../api/session'
import { db } from '../offline/db'
import { finishSignOuts } from './signOut'

serve()
beforeEach(() => {
  reload()
  layEvents()
  server.use(
    timesAnswer([]),
    ...planAnswers(),
    ...accountAnswers(),
    ...auditAnswers(),
    http.get(url('/api/companies/:id/features'), () => HttpResponse.json([])),
    http.get(url('/api/companies'), () => HttpResponse.json([])),
    http.post(url('/api/logout'), () => new HttpResponse(null, { status: 204 })),
  )
})

/** Renders the whole app at an address. */
function open(address: string) {
  window.history.replaceState(null, '', address)
  render(<AppWithQueries />)
}
const where = () => window.location.pathname + window.location.search

const heading = (name: string) => screen.findByRole('heading', { name })

async function fillIn(password = 'geheim') {
  const user = userEvent.setup()
  const dialog = within(await screen.findByRole('dialog'))
  await fill(dialog.getByLabelText('Firmenname'), 'Tischlerei Holm')
  await fill(dialog.getByLabelText('Benutzername'), 'mia')
  await fill(dialog.getByLabelText('Passwort'), password)
  await user.click(dialog.getByRole('button', { name: 'Einloggen' }))
}

describe('who is not logged in', () => {
  it.each(['/', '/no/such/page', '/dashboards'])('sees the home at %s', async path => {
    open(path)
    await heading('Chip dran. Gestempelt.')
    expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy()
    expect(screen.queryByText('Bitte melde dich an, um weiterzumachen.')).toBeNull()
  })

  it.each(['/dashboard', '/company-dashboard', '/admin'])('is sent from %s to the home', async path => {
    open(path)
    await heading('Chip dran. Gestempelt.')
    expect(where()).toBe('/')
    expect(screen.getByText('Bitte melde dich an, um weiterzumachen.')).toBeTruthy()
  })

  it('comes back to the very page after the login', async () => {
    server.use(http.post(url('/api/login'), () => HttpResponse.json({ success: true, ...MIA })))
    open('/dashboard?tab=my_times&monat=2026-10')
    await userEvent.click(await screen.findByRole('button', { name: 'Login' }))
    await fillIn()
    await heading('Meine Zeiten')
    expect(where()).toBe('/dashboard?tab=my_times&monat=2026-10')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(localStorage.getItem('token')).toBe(MIA.token)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  })

  it.each([
    ['/produkte', 'Die Uhr, die ja meint, wenn sie ja sagt.'],
    ['/services', 'Wir gehen erst, wenn es von allein läuft.'],
    ['/newsletter', 'Updates'],
    ['/shop', 'Shop'],
    ['/ueber-uns', 'Wir mögen Uhren, denen man glaubt.'],
    ['/kontakt', 'Kontakt'],
    ['/impressum', 'Impressum'],
    ['/datenschutz', 'Datenschutzerklärung'],
  ])('can read %s', async (path, title) => {
    open(path)
    await heading(title)
  })
})

describe('who is logged in', () => {
  it.each([
    ['user', '/', '/dashboard', 'Meine Termine'],
    ['user', '/admin', '/dashboard', 'Meine Termine'],
    ['user', '/anything', '/dashboard', 'Meine Termine'],
    ['companyAdmin', '/', '/company-dashboard', 'Heute'],
    ['companyAdmin', '/dashboard', '/company-dashboard', 'Heute'],
    ['admin', '/', '/admin', 'Firma anlegen'],
    ['admin', '/company-dashboard', '/admin', 'Firma anlegen'],
    ['something new', '/', '/dashboard', 'Meine Termine'],
  ])('as %s is led from %s to %s', async (role, from, to, title) => {
    logInAs({ ...MIA, role })
    open(from)
    await heading(title)
    expect(where()).toBe(to)
  })

  it('is told that a tab is unknown', async () => {
    logInAs()
    open('/dashboard?tab=nonsense')
    await screen.findByText('Modul nicht gefunden.')
    expect(document.title).toBe('Modul nicht gefunden · Stempelwerk')
  })

  it('leaves nothing behind at logout', async () => {
    logInAs()
    open('/dashboard')
    await heading('Meine Termine')
    // The month, and the company's name.
    await eventually(async () => expect(await db.snapshots.count()).toBeGreaterThanOrEqual(2))
    await userEvent.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
    await heading('Chip dran. Gestempelt.')
    expect(where()).toBe('/')
    expect(document.activeElement).toBe(screen.getByRole('main'))
    await eventually(() => expect(localStorage.length).toBe(0))
    expect(screen.queryByText('Bitte melde dich an, um weiterzumachen.')).toBeNull()
    await eventually(async () => expect(await db.snapshots.count()).toBe(0))
  })

  it('leaves nothing that grants anything where the service cannot be told, and ends it later', async () => {
    const sent: unknown[] = []
    server.use(http.post(url('/api/logout'), () => HttpResponse.error()))
    logInAs()
    open('/dashboard')
    await heading('Meine Termine')
    await userEvent.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
    // Synchronously: it waits for no answer.
    expect(Object.keys(localStorage)).toEqual([expect.stringMatching(/^left\/[0-9a-f]{64}$/)])
    expect(JSON.stringify({ ...localStorage })).not.toContain(MIA.token)
    await heading('Chip dran. Gestempelt.')
    server.use(
      http.post(url('/api/logout'), async ({ request }) => {
        sent.push(await request.json(), request.headers.get('Authorization'))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const stop = finishSignOuts()
    await eventually(() => expect(localStorage.length).toBe(0))
    stop()
    expect(sent).toEqual([{ sessions: [expect.stringMatching(/^[0-9a-f]{64}$/)] }, null])
  })

  it('is sent home with a message when the service answers 401', async () => {
    logInAs()
    server.use(http.get(url('/api/users/:userId/times'), () => refusal(401, 'Nein.')))
    open('/dashboard?tab=my_times')
    await heading('Chip dran. Gestempelt.')
    expect(where()).toBe('/')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Nicht autorisiert. Bitte neu einloggen.')
    expect(currentSession()).toBeNull()
    await waitFor(() => expect(localStorage.length).toBe(0))
  })
})

describe('what is typed and not saved', () => {
  const typed = 'Neue Firma'
  const name = () => screen.findByLabelText<HTMLInputElement>('Firmenname')
  const follow = (link: string) =>
    userEvent.click(screen.getAllByRole('link', { name: link })[0] as HTMLElement)
  const question = () => screen.queryByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })

  async function typeIn() {
    logInAs({ ...MIA, role: 'admin' })
    open('/kontakt')
    await follow('Admin Panel')
    await userEvent.type(await name(), typed)
  }

  async function answer(choice: string) {
    await waitFor(() => expect(question()).not.toBeNull())
    await userEvent.click(within(question() as HTMLElement).getByRole('button', { name: choice }))
    await waitFor(() => expect(question()).toBeNull())
  }

  it.each([
    ['a link', () => follow('Kontakt')],
    ['the browser’s Back', () => act(() => window.history.back())],
  ])('is asked about before it is left by %s: staying keeps it, leaving drops it', async (_way, leave) => {
    await typeIn()
    await leave()
    await answer('Weiter bearbeiten')
    await waitFor(() => expect(where()).toBe('/admin'))
    expect((await name()).value).toBe(typed)
    await leave()
    await answer('Verwerfen')
    await heading('Kontakt')
    expect(where()).toBe('/kontakt')
  })

  it('is asked about by the browser before the window goes', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    await typeIn()
    expect(asks()).toBe(true)
    await userEvent.clear(await name())
    expect(asks()).toBe(false)
  })

  it('keeps nobody from logging out', async () => {
    await typeIn()
    await userEvent.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
    await heading('Chip dran. Gestempelt.')
    expect(where()).toBe('/')
    expect(question()).toBeNull()
  })
})

describe('another tab', () => {
  const inAnotherTab = (change: () => void) =>
    act(() => {
      change()
      window.dispatchEvent(new StorageEvent('storage', { storageArea: localStorage, key: 'token' }))
    })
  const logIn = () =>
    inAnotherTab(() => Object.entries(MIA).map(([name, part]) => localStorage.setItem(name, `${part}`)))
  const logOut = () => inAnotherTab(() => localStorage.clear())

  it('that logs in takes the login away from this one, for good', async () => {
    const stop = followOtherTabs()
    open('/produkte')
    await userEvent.click(await screen.findByRole('button', { name: 'Login' }))
    await screen.findByRole('dialog')
    logIn()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    logOut()
    await screen.findByRole('button', { name: 'Login' })
    expect(screen.queryByRole('dialog')).toBeNull()
    stop()
  })

  it('that ends the session is not said to be a logout', async () => {
    const stop = followOtherTabs()
    logInAs()
    open('/dashboard')
    await heading('Meine Termine')
    logOut()
    await screen.findByText('Deine Sitzung wurde in einem anderen Fenster beendet.')
    stop()
  })
})

describe('the end of a session', () => {
  it('is said once, and not at every later return', async () => {
    logInAs()
    server.use(http.get(url('/api/users/:userId/times'), () => new HttpResponse(null, { status: 401 })))
    open('/dashboard?tab=my_times')
    expect((await screen.findByRole('alert')).textContent).toContain('Deine Sitzung ist beendet.')
    await userEvent.click(screen.getByRole('link', { name: 'Über uns' }))
    await heading('Wir mögen Uhren, denen man glaubt.')
    await userEvent.click(screen.getByRole('link', { name: /zur Startseite/ }))
    await heading('Chip dran. Gestempelt.')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
