import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { renderRoutes } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { held, logInAs, MIA, serve, server, url } from '../../../tests/server'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { routes } from '../routes'

const HOLM = { id: 'c-1', name: 'Tischlerei Holm' }

let companies = [HOLM]

serve()
beforeEach(() => {
  companies = [HOLM]
  reload()
  layEvents()
  logInAs({ ...MIA, role: 'admin', companyId: 'c-0' })
  reportReached()
  server.use(
    http.get(url('/api/companies'), () => HttpResponse.json(companies)),
    http.get(url('/api/companies/:id/users'), () => HttpResponse.json([])),
    http.get(url('/api/companies/:id/features'), () => HttpResponse.json([])),
    http.get(url('/api/features'), () => HttpResponse.json([])),
  )
})
afterEach(reportReached)

const chosenCompany = async () =>
  ((await screen.findByRole('combobox', { name: 'Firma' })) as HTMLInputElement).value

describe('the panel', () => {
  it('has an entry for each of its pages, and none that leads nowhere', async () => {
    renderRoutes(routes, '/admin')
    const entries = within(await screen.findByRole('navigation', { name: 'Plattform' }))
    expect(entries.getAllByRole('link').map(element => element.textContent)).toEqual([
      'Firma anlegenAnlegen',
      'Firmen verwaltenFirmen',
      'Logins verwaltenLogins',
      'Passwort zurücksetzenPasswörter',
      'GeräteverzeichnisGeräte',
      'UhrenübersichtUhren',
      'Globale UpdatesUpdates',
      'Update-Kanal je FirmaKanal',
      'Stempel ohne FirmaStempel',
      'AlarmeAlarme',
      'Support-NachrichtenSupport',
      'AnfragenAnfragen',
      'ÄnderungsprotokollProtokoll',
      'BetreiberprotokollBetreiber',
      'Login & PasswortLogin',
    ])
  })

  it('says in its menu how many stamps and messages wait for somebody', async () => {
    server.use(
      http.get(url('/api/held-stamps'), () =>
        HttpResponse.json([{ state: 'held_assignment' }, { state: 'quarantined' }]),
      ),
      http.get(url('/api/support/messages'), ({ request }) => {
        expect(new URL(request.url).searchParams.get('status')).toBe('open')
        return HttpResponse.json([{ id: 's-1' }, { id: 's-2' }])
      }),
    )
    renderRoutes(routes, '/admin')
    expect(await screen.findByText('1 Stempel ohne Firma')).toBeTruthy()
    expect(await screen.findByText('2 offene Nachrichten')).toBeTruthy()
  })

  it('keeps the chosen company in the address, from page to page', async () => {
    const { where } = renderRoutes(routes, '/admin?tab=companies')
    await pick('Firma', 'Tischlerei Holm')
    expect(where()).toBe('/admin?tab=companies&firma=c-1')
    for (const [entry, tab, title] of [
      ['Logins verwalten', 'logins', 'Logins verwalten'],
      ['Passwort zurücksetzen', 'passwords', 'Passwort zurücksetzen'],
      ['Firmen verwalten', 'companies', 'Firmen verwalten'],
    ] as const) {
      await userEvent.click(screen.getByRole('link', { name: new RegExp(entry) }))
      await screen.findByRole('heading', { level: 1, name: title })
      expect(where()).toBe(`/admin?tab=${tab}&firma=c-1`)
      expect(await chosenCompany()).toBe('Tischlerei Holm')
    }
  })

  describe('asks about what is ticked and not saved', () => {
    const box = () => screen.findByRole('checkbox', { name: /Fehlerlog/ })
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const question = () => screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
    const open = (name: RegExp) => userEvent.click(screen.getByRole('link', { name }))

    async function answer(name: string) {
      await userEvent.click(within(await question()).getByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }

    async function tick() {
      server.use(
        http.get(url('/api/features'), () =>
          HttpResponse.json([{ id: 'f-1', key: 'error_log', label: 'Fehlerlog' }]),
        ),
      )
      const rendered = renderRoutes(routes, '/admin?tab=companies&firma=c-1')
      await userEvent.click(await box())
      expect(screen.getByText('1 Änderung nicht gespeichert')).toBeTruthy()
      return rendered
    }

    it('before another page is looked at: staying keeps it, leaving drops it', async () => {
      const { where } = await tick()
      await open(/Logins verwalten/)
      await answer('Weiter bearbeiten')
      expect(where()).toBe('/admin?tab=companies&firma=c-1')
      expect(await box()).toHaveProperty('checked', true)
      await open(/Logins verwalten/)
      await answer('Verwerfen')
      await screen.findByRole('heading', { level: 1, name: 'Logins verwalten' })
      expect(where()).toBe('/admin?tab=logins&firma=c-1')
      await open(/Firmen verwalten/)
      expect(await box()).toHaveProperty('checked', false)
      expect(screen.queryByText(/nicht gespeichert$/)).toBeNull()
    })

    it('before the window goes, and not once it is taken back', async () => {
      await tick()
      expect(asks()).toBe(true)
      await userEvent.click(screen.getByRole('button', { name: 'Verwerfen' }))
      expect(asks()).toBe(false)
      await open(/Logins verwalten/)
      await screen.findByRole('heading', { level: 1, name: 'Logins verwalten' })
      expect(screen.queryByRole('dialog')).toBeNull()
    })

    it('but lets everybody log out', async () => {
      server.use(http.post(url('/api/logout'), () => new HttpResponse(null, { status: 204 })))
      const { where } = await tick()
      await userEvent.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
      await screen.findByRole('heading', { name: 'Chip dran. Gestempelt.' })
      expect(where()).toBe('/')
      expect(screen.queryByRole('dialog')).toBeNull()
    })
  })

  it('takes a company that is gone for none', async () => {
    renderRoutes(routes, '/admin?tab=logins&firma=c-9')
    expect(await chosenCompany()).toBe('')
    expect(screen.getByText('Wähle oben eine Firma aus.')).toBeTruthy()
  })

  it.each(['companies', 'logins', 'passwords'])(
    'does not ask for a company while the one in the address is looked up: %s',
    async tab => {
      const { answer, release } = held(() => HttpResponse.json(companies))
      server.use(http.get(url('/api/companies'), answer))
      renderRoutes(routes, `/admin?tab=${tab}&firma=c-1`)
      await waitFor(() => expect(screen.getAllByText('Wird geladen …')).toHaveLength(2))
      expect(screen.queryByText('Wähle oben eine Firma aus.')).toBeNull()
      release()
      expect(await chosenCompany()).toBe('Tischlerei Holm')
    },
  )

  it('leads from a new company to its logins', async () => {
    server.use(
      http.post(url('/api/companies'), () => {
        companies = [HOLM, { id: 'c-2', name: 'Neu' }]
        return HttpResponse.json(companies[1], { status: 201 })
      }),
    )
    const { where } = renderRoutes(routes, '/admin')
    await userEvent.type(await screen.findByLabelText('Firmenname'), 'Neu{Enter}')
    await userEvent.click(await screen.findByRole('link', { name: /Logins anlegen/ }))
    expect(where()).toBe('/admin?tab=logins&firma=c-2')
    expect(await chosenCompany()).toBe('Neu')
  })

  it('says plainly that nothing is kept for later while the service is away', async () => {
    for (const path of ['companies/:id', 'alarms', 'held-stamps', 'support/messages', 'updates/rollouts'])
      server.use(http.get(url(`/api/${path}`), () => HttpResponse.error()))
    reportUnreachable()
    renderRoutes(routes, '/admin')
    expect(await screen.findByText('Keine Verbindung zum Server.')).toBeTruthy()
    expect(screen.getByText(/nichts wird für später aufgehoben/)).toBeTruthy()
  })
})
