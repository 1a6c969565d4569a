import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { card, open, serveAccount } from '../../../tests/account'
import { eventually } from '../../../tests/eventually'
import { FIREFOX, MIA, refusal, server, url } from '../../../tests/server'
import { currentSession } from '../../api/session'

serveAccount()

describe('the own login data', () => {
  it('are username and company', async () => {
    open()
    const data = await card('Deine Login-Daten')
    expect(data.getByText('Mia Sommer')).toBeTruthy()
    expect(data.getByText('c-1')).toBeTruthy()
    expect(data.getByRole('button', { name: 'Kopieren: Firmen-ID' })).toBeTruthy()
  })

  it('say that the service is out of reach', async () => {
    server.use(
      http.get(url('/api/auth/2fa/status'), () => HttpResponse.error()),
      http.get(url('/api/auth/sessions'), () => HttpResponse.error()),
    )
    open()
    await screen.findByText('Keine Verbindung zum Server.')
    expect(screen.getByText(/erst wieder etwas, wenn die Verbindung steht/)).toBeTruthy()
  })
})

describe('a new password', () => {
  const path = url('/api/users/u-1/change-password')

  async function form() {
    const user = open()
    const here = await card('Passwort ändern')
    const press = () => user.click(here.getByRole('button', { name: 'Passwort ändern' }))
    const type = (label: string, text: string) => user.type(here.getByLabelText(label), text)
    const fill = async (current: string, next: string, again = next) => {
      await type('Aktuelles Passwort', current)
      await type('Neues Passwort', next)
      await type('Neues Passwort wiederholen', again)
    }
    return { here, press, fill, type }
  }

  it('is not sent while a field is empty or the two differ', async () => {
    let calls = 0
    server.use(
      http.put(path, () => {
        calls += 1
        return HttpResponse.json({ ...MIA, token: 'token-2', message: '' })
      }),
    )
    const { here, press, fill, type } = await form()
    await press()
    expect((await here.findByRole('alert')).textContent).toBe('Bitte alle Felder ausfüllen.')
    await fill('alt', 'neu', 'neuer')
    await press()
    expect((await here.findByRole('alert')).textContent).toBe('Passwörter stimmen nicht überein.')
    expect(calls).toBe(0)
    // The same fields, now alike, are sent: so what was not sent before was held back.
    await type('Neues Passwort', 'er')
    await press()
    await here.findByText('Passwort erfolgreich geändert.')
    expect(calls).toBe(1)
  })

  it.each([
    [refusal(422, 'Das aktuelle Passwort stimmt nicht.'), 'Das aktuelle Passwort stimmt nicht.'],
    [refusal(500), 'Fehler beim Ändern.'],
    [HttpResponse.error(), 'Server nicht erreichbar.'],
  ])('that is refused says why, and the session goes on as it was (%#)', async (reply, sentence) => {
    server.use(http.put(path, () => reply))
    const { here, press, fill } = await form()
    await fill('alt', 'ein neues')
    await press()
    expect((await here.findByRole('alert')).textContent).toContain(sentence)
    expect(currentSession()?.token).toBe('token-1')
  })

  it('brings a new session, with which the page goes on', async () => {
    let sent: unknown
    server.use(
      http.put(path, async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ ...MIA, token: 'token-2', message: 'Passwort erfolgreich geändert.' })
      }),
    )
    const { here, press, fill } = await form()
    await fill('alt', 'ein neues')
    await press()
    await here.findByText('Passwort erfolgreich geändert.')
    expect(sent).toEqual({ currentPassword: 'alt', newPassword: 'ein neues' })
    expect(currentSession()).toEqual({ ...MIA, token: 'token-2' })
    expect(localStorage.getItem('token')).toBe('token-2')
    expect((here.getByLabelText('Aktuelles Passwort') as HTMLInputElement).value).toBe('')
  })
})

describe('the sessions', () => {
  const PHONE = {
    ...FIREFOX,
    id: 's-2',
    device: 'Chrome auf Android',
    createdAt: '2026-11-19T20:00:00.000Z',
    lastSeen: '2026-11-20T10:09:00.000Z',
    current: false,
  }

  it('begin with this one, say when, and can be ended one by one after a question', async () => {
    let rows = [PHONE, FIREFOX]
    server.use(
      http.get(url('/api/auth/sessions'), () => HttpResponse.json(rows)),
      http.delete(url('/api/auth/sessions/s-2'), () => {
        rows = [FIREFOX]
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open()
    const here = await card('Angemeldete Geräte')
    const items = await here.findAllByRole('listitem')
    expect(items.map(item => item.textContent)).toEqual([
      'Firefox auf Windowsdiese SitzungAngemeldet heute, 08:00 Uhr · zuletzt aktiv heute, 11:05 Uhr',
      'Chrome auf AndroidAngemeldet gestern, 21:00 Uhr · zuletzt aktiv heute, 11:09 UhrBeenden',
    ])
    await user.click(here.getByRole('button', { name: 'Sitzung beenden: Chrome auf Android' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Abbrechen' }))
    expect(rows).toHaveLength(2)
    await user.click(here.getByRole('button', { name: 'Sitzung beenden: Chrome auf Android' }))
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sitzung beenden' }),
    )
    await eventually(() => expect(here.getAllByRole('listitem')).toHaveLength(1))
    await screen.findByText('Sitzung beendet.')
  })

  it('that do not come say so', async () => {
    server.use(http.get(url('/api/auth/sessions'), () => refusal(500)))
    open()
    const alert = await (await card('Angemeldete Geräte')).findByRole('alert')
    expect(alert.textContent).toContain('Deine Sitzungen konnten nicht geladen werden.')
  })

  it('are all ended after a question, this one too; a refusal ends none', async () => {
    let count = 0
    server.use(
      http.delete(url('/api/auth/sessions'), () => {
        count += 1
        return count === 1 ? refusal(500) : new HttpResponse(null, { status: 204 })
      }),
    )
    const user = open()
    const here = await card('Angemeldete Geräte')
    await user.click(here.getByRole('button', { name: 'Überall abmelden' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Überall abmelden' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Das Abmelden hat nicht geklappt.')
    expect(currentSession()).not.toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Überall abmelden' }))
    await eventually(() => expect(currentSession()).toBeNull())
    expect(localStorage.getItem('token')).toBeNull()
  })
})
