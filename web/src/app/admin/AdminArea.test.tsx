import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../tests/page'
import { held, logInAs, MIA, serve, server, url } from '../../../tests/server'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { AdminArea } from './AdminArea'

vi.mock('../features', () => ({ FEATURES: [] }))

const HOLM = { id: 'c-1', name: 'Tischlerei Holm' }

let companies = [HOLM]

serve()
beforeEach(() => {
  companies = [HOLM]
  reload()
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

const chosen = async () =>
  ((await screen.findByRole('combobox', { name: 'Firma' })) as HTMLInputElement).value

describe('the panel', () => {
  it('has an entry for each of its pages, and none that leads nowhere', () => {
    renderPage(<AdminArea />, '/admin')
    const entries = within(screen.getByRole('navigation', { name: 'Plattform' }))
    expect(entries.getAllByRole('link').map(each => each.textContent)).toEqual([
      'Firma anlegenAnlegen',
      'Firmen verwaltenFirmen',
      'Logins verwaltenLogins',
      'Login-DatenLogin',
      'Passwort zurücksetzenPasswörter',
    ])
  })

  it('keeps the chosen company in the address, from page to page', async () => {
    const { where } = renderPage(<AdminArea />, '/admin?tab=companies')
    await userEvent.click(await screen.findByRole('combobox', { name: 'Firma' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Tischlerei Holm' }))
    expect(where()).toBe('/admin?tab=companies&firma=c-1')
    for (const [entry, tab, title] of [
      ['Logins verwalten', 'logins', 'Logins verwalten'],
      ['Passwort zurücksetzen', 'passwords', 'Passwort zurücksetzen'],
      ['Firmen verwalten', 'companies', 'Firmen verwalten'],
    ] as const) {
      await userEvent.click(screen.getByRole('link', { name: new RegExp(entry) }))
      await screen.findByRole('heading', { level: 1, name: title })
      expect(where()).toBe(`/admin?tab=${tab}&firma=c-1`)
      expect(await chosen()).toBe('Tischlerei Holm')
    }
  })

  it('keeps what is ticked and not saved while another page is looked at, and asks before the window goes', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const box = () => screen.findByRole('checkbox', { name: /Fehlerlog/ })
    server.use(
      http.get(url('/api/features'), () =>
        HttpResponse.json([{ id: 'f-1', key: 'error_log', label: 'Fehlerlog' }]),
      ),
    )
    renderPage(<AdminArea />, '/admin?tab=companies&firma=c-1')
    await userEvent.click(await box())
    await userEvent.click(screen.getByRole('link', { name: /Logins verwalten/ }))
    await screen.findByRole('heading', { level: 1, name: 'Logins verwalten' })
    expect(asks()).toBe(true)
    await userEvent.click(screen.getByRole('link', { name: /Firmen verwalten/ }))
    expect(await box()).toHaveProperty('checked', true)
    expect(screen.getByText('1 Änderung nicht gespeichert')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Verwerfen' }))
    expect(asks()).toBe(false)
  })

  it('takes a company that is gone for none', async () => {
    renderPage(<AdminArea />, '/admin?tab=logins&firma=c-9')
    expect(await chosen()).toBe('')
    expect(screen.getByText('Wähle oben eine Firma aus.')).toBeTruthy()
  })

  it.each(['companies', 'logins', 'passwords'])(
    'does not ask for a company while the one in the address is looked up: %s',
    async tab => {
      const { answer, release } = held(() => HttpResponse.json(companies))
      server.use(http.get(url('/api/companies'), answer))
      renderPage(<AdminArea />, `/admin?tab=${tab}&firma=c-1`)
      await waitFor(() => expect(screen.getAllByText('Wird geladen …')).toHaveLength(2))
      expect(screen.queryByText('Wähle oben eine Firma aus.')).toBeNull()
      release()
      expect(await chosen()).toBe('Tischlerei Holm')
    },
  )

  it('leads from a new company to its logins', async () => {
    server.use(
      http.post(url('/api/companies'), () => {
        companies = [HOLM, { id: 'c-2', name: 'Neu' }]
        return HttpResponse.json(companies[1], { status: 201 })
      }),
    )
    const { where } = renderPage(<AdminArea />, '/admin')
    await userEvent.type(screen.getByLabelText('Firmenname'), 'Neu{Enter}')
    await userEvent.click(await screen.findByRole('link', { name: /Logins anlegen/ }))
    expect(where()).toBe('/admin?tab=logins&firma=c-2')
    expect(await chosen()).toBe('Neu')
  })

  it('says plainly that nothing is kept for later while the service is away', () => {
    reportUnreachable()
    renderPage(<AdminArea />, '/admin')
    expect(screen.getByText('Keine Verbindung zum Server.')).toBeTruthy()
    expect(screen.getByText(/nichts wird für später aufgehoben/)).toBeTruthy()
  })
})
