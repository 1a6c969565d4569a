import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../../tests/events'
import { renderRoutes } from '../../../tests/page'
import {
  accountAnswers,
  auditAnswers,
  logInAs,
  MIA,
  never,
  refusal,
  serve,
  server,
  url,
} from '../../../tests/server'
import { reload } from '../../api/session'
import { routes } from '../routes'

vi.mock('../features', async () => {
  const { account } = await import('../../features/account/feature')
  const { audit } = await import('../../features/audit/feature')
  return { FEATURES: [audit(async () => []), account] }
})

serve()
beforeEach(() => {
  layEvents()
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  server.use(...accountAnswers(), ...auditAnswers())
})

const featuresAre = (...replies: Response[]) =>
  server.use(http.get(url('/api/companies/c-1/features'), () => (replies.shift() ?? new Response()).clone()))
const SCHEDULE = { id: 'f-1', key: 'schedule', label: 'Dienstplan verwalten' }
const open = (search = '') => renderRoutes(routes, `/company-dashboard${search}`)
const side = async () => within(await screen.findByRole('navigation', { name: 'Verwaltung' }))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('the company’s hub', () => {
  it('says that it loads, and shows no module as the first before it knows', async () => {
    server.use(http.get(url('/api/companies/c-1/features'), never))
    open()
    expect((await side()).getByRole('status').textContent).toBe('Lade Module …')
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  })

  it('shows the audit log first, and login always; what has no page yet is no link', async () => {
    featuresAre(HttpResponse.json([SCHEDULE]))
    open()
    await heading('Änderungsprotokoll')
    const links = (await side()).getAllByRole('link').map(link => link.querySelector('.label')?.textContent)
    expect(links).toEqual(['Änderungsprotokoll', 'Login & Passwort'])
    await userEvent.click((await side()).getByRole('link', { name: /Login & Passwort/ }))
    await heading('Login & Passwort')
  })

  it('keeps no empty place for a state, and says nothing of what is still being built', async () => {
    featuresAre(HttpResponse.json([SCHEDULE]))
    open()
    await heading('Änderungsprotokoll')
    const nav = await screen.findByRole('navigation', { name: 'Verwaltung' })
    expect([...nav.children].filter(element => element.matches('div'))).toEqual([])
    expect(screen.queryByText(/noch im Bau/)).toBeNull()
    await userEvent.click((await side()).getByRole('button', { name: 'Mehr' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Mehr' }))
    expect(sheet.queryByText(/noch im Bau/)).toBeNull()
  })

  it('says that no module is enabled', async () => {
    featuresAre(HttpResponse.json([]))
    open()
    await heading('Änderungsprotokoll')
    expect((await side()).getByText('Keine Module freigeschaltet')).toBeTruthy()
  })

  it.each(['?tab=schedule', '?tab=nonsense'])('does not know %s', async search => {
    featuresAre(HttpResponse.json([SCHEDULE]))
    open(search)
    await screen.findByText('Modul nicht gefunden.')
  })

  it.each([
    [new HttpResponse(null, { status: 404 }), 'Endpoint nicht gefunden (404).'],
    [refusal(403, 'Dafür fehlt die Berechtigung.'), 'Dafür fehlt die Berechtigung.'],
  ])(
    'that fails to load says so on both sides, preselects login, and can be tried again from there (%#)',
    async (reply, detail) => {
      let count = 0
      server.use(
        http.get(url('/api/companies/c-1/features'), () => {
          count += 1
          return count === 1 ? reply : HttpResponse.json([])
        }),
      )
      open()
      await heading('Login & Passwort')
      expect((await side()).getByRole('alert').textContent).toBe('Module konnten nicht geladen werden.')
      const content = within(screen.getByRole('main')).getAllByRole('alert').at(-1) as HTMLElement
      expect(content.textContent).toContain(detail)
      await userEvent.type(await screen.findByLabelText('Aktuelles Passwort'), 'alt')
      await userEvent.click(within(content).getByRole('button', { name: 'Erneut versuchen' }))
      await (await side()).findByText('Keine Module freigeschaltet')
      expect((screen.getByLabelText('Aktuelles Passwort') as HTMLInputElement).value).toBe('alt')
    },
  )

  it('that may not ask any more is left, with a message', async () => {
    featuresAre(refusal(401, 'Nein.'))
    open()
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Nicht autorisiert. Bitte neu einloggen.',
    )
  })
})

describe('the finder', () => {
  it('leads to a page by a part of its name, and is not asked for by k alone', async () => {
    featuresAre(HttpResponse.json([]))
    open()
    await heading('Änderungsprotokoll')
    await userEvent.keyboard('k')
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox', { name: 'Seite oder Person' }), 'login{Enter}')
    await heading('Login & Passwort')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
