import { act, screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { card, open, serveAccount } from '../../../tests/account'
import { complaintAt } from '../../../tests/complaints'
import { eventually } from '../../../tests/eventually'
import { success } from '../../../tests/page'
import { FIREFOX, MIA, refusal, server, url } from '../../../tests/server'
import { reportUnreachable } from '../../api/connectivity'
import { currentSession } from '../../api/session'

serveAccount()

describe('the own login data', () => {
  it('are username and company, by name and by number', async () => {
    open()
    const data = await card('Deine Login-Daten')
    expect((await data.findByText('Tischlerei Holm')).previousElementSibling?.textContent).toBe('Firma')
    expect(data.getByText('Mia Sommer')).toBeTruthy()
    expect(data.getByText('c-1')).toBeTruthy()
    expect(data.getByRole('button', { name: 'Kopieren: Firmen-ID' })).toBeTruthy()
  })

  it('are there without a name of the company that does not come', async () => {
    server.use(http.get(url('/api/companies/c-1'), () => refusal(500)))
    open()
    const data = await card('Deine Login-Daten')
    expect(data.getByText('c-1')).toBeTruthy()
    expect(data.queryByText('Firma')).toBeNull()
  })
})

describe('without the service', () => {
  const goOffline = () => server.use(http.all(url('/api/*'), () => HttpResponse.error()))

  it('the page says so once, and what cannot be seen or done until it is back', async () => {
    goOffline()
    open()
    await screen.findByText('Keine Verbindung zum Server.')
    expect(screen.getByText(/erst wieder etwas, wenn die Verbindung steht/)).toBeTruthy()
    for (const name of ['Authenticator-App', 'Angemeldete Geräte']) {
      expect((await card(name)).getByText('Erst mit Verbindung wieder zu sehen.')).toBeTruthy()
    }
    expect(screen.queryByRole('alert')).toBeNull()
    for (const name of ['Passwort ändern', 'Überall abmelden']) {
      expect(screen.getByRole('button', { name }).matches(':disabled')).toBe(true)
    }
  })

  it('nothing is taken out of the hands of who is typing, not even when all of it is deleted', async () => {
    const user = open()
    const passwordCard = await card('Passwort ändern')
    const field = passwordCard.getByLabelText('Aktuelles Passwort')
    await user.type(field, 'alt')
    act(() => reportUnreachable())
    await screen.findByText('Keine Verbindung zum Server.')
    await user.clear(field)
    await user.keyboard('anders')
    expect(field).toHaveProperty('value', 'anders')
  })
})

describe('a new password', () => {
  const path = url('/api/users/u-1/change-password')

  async function form() {
    const user = open()
    const passwordCard = await card('Passwort ändern')
    const press = () => user.click(passwordCard.getByRole('button', { name: 'Passwort ändern' }))
    const field = (label: string) => passwordCard.getByLabelText<HTMLInputElement>(label)
    const type = (label: string, text: string) => user.type(field(label), text)
    const fill = async (current: string, next: string, again = next) => {
      await type('Aktuelles Passwort', current)
      await type('Neues Passwort', next)
      await type('Neues Passwort wiederholen', again)
    }
    const complaints = () => FIELDS.map(label => complaintAt(field(label)))
    return { here: passwordCard, press, fill, type, field, complaints }
  }

  const FIELDS = ['Aktuelles Passwort', 'Neues Passwort', 'Neues Passwort wiederholen']

  it('is not sent while a field is empty or the two differ', async () => {
    let calls = 0
    server.use(
      http.put(path, () => {
        calls += 1
        return HttpResponse.json({ ...MIA, token: 'token-2', message: '' })
      }),
    )
    const { here, press, fill, type, field, complaints } = await form()
    expect(complaints()).toEqual([null, null, null])
    await press()
    await here.findByText('Bitte alle Felder ausfüllen.')
    expect(here.queryByRole('alert')).toBeNull()
    expect(complaints()).toEqual(['Bitte alle Felder ausfüllen.', 'Bitte ausfüllen.', 'Bitte ausfüllen.'])
    expect(document.activeElement).toBe(field('Aktuelles Passwort'))
    await fill('alt', 'neu', 'neuer')
    expect(complaints()).toEqual([null, null, null])
    await press()
    expect(complaints()).toEqual([null, null, 'Passwörter stimmen nicht überein.'])
    expect(here.queryByRole('alert')).toBeNull()
    expect(document.activeElement).toBe(field('Neues Passwort wiederholen'))
    expect(calls).toBe(0)
    // The fields now match and are sent: so the earlier attempt was prevented.
    await type('Neues Passwort', 'er')
    await press()
    await success('Passwort erfolgreich geändert.')
    expect(calls).toBe(1)
  })

  it('that the service finds wanting says so at its field, and the focus goes there', async () => {
    const errors = [{ field: 'newPassword', message: 'Zu kurz.' }]
    server.use(http.put(path, () => refusal(422, 'Ungültige Eingabe.', { errors })))
    const { here, press, fill, field, complaints } = await form()
    await fill('alt', 'neu')
    await press()
    expect((await here.findByRole('alert')).textContent).toBe('Fehler beim Ändern.')
    expect(complaints()).toEqual([null, 'Zu kurz.', null])
    await eventually(() => expect(document.activeElement).toBe(field('Neues Passwort')))
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
    const { press, fill, field } = await form()
    await fill('alt', 'ein neues')
    await press()
    await success('Passwort erfolgreich geändert.')
    expect(sent).toEqual({ currentPassword: 'alt', newPassword: 'ein neues' })
    expect(currentSession()).toEqual({ ...MIA, token: 'token-2' })
    expect(localStorage.getItem('token')).toBe('token-2')
    for (const label of FIELDS) expect(field(label).value).toBe('')
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
    const sessionsCard = await card('Angemeldete Geräte')
    const items = await sessionsCard.findAllByRole('listitem')
    expect(items.map(item => item.textContent)).toEqual([
      'Firefox auf Windowsdiese SitzungAngemeldet heute, 08:00 Uhr · zuletzt aktiv heute, 11:05 Uhr',
      'Chrome auf AndroidAngemeldet gestern, 21:00 Uhr · zuletzt aktiv heute, 11:09 UhrBeenden',
    ])
    await user.click(sessionsCard.getByRole('button', { name: 'Sitzung beenden: Chrome auf Android' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Abbrechen' }))
    expect(rows).toHaveLength(2)
    await user.click(sessionsCard.getByRole('button', { name: 'Sitzung beenden: Chrome auf Android' }))
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sitzung beenden' }),
    )
    await eventually(() => expect(sessionsCard.getAllByRole('listitem')).toHaveLength(1))
    await success('Sitzung beendet.')
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
    const sessionsCard = await card('Angemeldete Geräte')
    await user.click(sessionsCard.getByRole('button', { name: 'Überall abmelden' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Überall abmelden' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Das Abmelden hat nicht geklappt.')
    expect(currentSession()).not.toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Überall abmelden' }))
    await eventually(() => expect(currentSession()).toBeNull())
    expect(localStorage.getItem('token')).toBeNull()
  })
})
