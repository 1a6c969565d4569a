import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { card, open, secretIn, serveAccount, status } from '../../../tests/account'
import { complaintAt } from '../../../tests/complaints'
import { eventually } from '../../../tests/eventually'
import { success } from '../../../tests/page'
import { accountAnswers, FIREFOX, held, refusal, server, url } from '../../../tests/server'
import { currentSession } from '../../api/session'

serveAccount()

describe('the authenticator', () => {
  const CODES = Array.from({ length: 10 }, (_, index) => `abcd-000${index}`)
  const SETUP = { ok: true, qrDataUrl: 'data:image/png;base64,AAAA', secret: 'JBSWY3DPEHPK3PXP' }
  const started = () => http.post(url('/api/auth/2fa/setup/start'), () => HttpResponse.json(SETUP))

  it('whose status does not come says so, and asks again', async () => {
    let count = 0
    server.use(
      http.get(url('/api/auth/2fa/status'), () => {
        count += 1
        return count === 1
          ? refusal(500)
          : HttpResponse.json({ ok: true, message: '', enabled: false, recoveryCodesLeft: 0 })
      }),
    )
    const user = open()
    const authenticatorCard = await card('Authenticator-App')
    expect((await authenticatorCard.findByRole('alert')).textContent).toContain(
      'Status konnte nicht geladen werden.',
    )
    await user.click(authenticatorCard.getByRole('button', { name: 'Erneut versuchen' }))
    await authenticatorCard.findByText('nicht aktiv')
  })

  it('whose setup does not begin says so', async () => {
    server.use(http.post(url('/api/auth/2fa/setup/start'), () => refusal(409, 'Schon aktiv.')))
    const user = open()
    const authenticatorCard = await card('Authenticator-App')
    await user.click(await authenticatorCard.findByRole('button', { name: 'Authenticator einrichten' }))
    const alert = await authenticatorCard.findByRole('alert')
    expect(alert.textContent).toContain('Setup konnte nicht gestartet werden.')
    expect(alert.textContent).toContain('Schon aktiv.')
  })

  it('is set up with picture or secret and a code; its recovery codes stay until they are kept', async () => {
    const sent: unknown[] = []
    server.use(
      started(),
      http.post(url('/api/auth/2fa/setup/verify'), async ({ request }) => {
        sent.push(await request.json())
        if (sent.length === 1) {
          const errors = [{ field: 'code', message: 'Code ungültig.' }]
          return refusal(422, 'Code ungültig.', { errors })
        }
        server.use(status(true))
        return HttpResponse.json({ ok: true, message: '', recoveryCodes: CODES })
      }),
    )
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const user = open()
    const authenticatorCard = await card('Authenticator-App')
    await user.click(await authenticatorCard.findByRole('button', { name: 'Authenticator einrichten' }))
    expect((await authenticatorCard.findByRole('img')).getAttribute('src')).toBe(SETUP.qrDataUrl)
    await secretIn(authenticatorCard, SETUP.secret)
    await user.click(authenticatorCard.getByRole('button', { name: 'Kopieren: Schlüssel' }))
    expect(await navigator.clipboard.readText()).toBe(SETUP.secret)
    const activate = () => user.click(authenticatorCard.getByRole('button', { name: 'Aktivieren' }))
    const code = authenticatorCard.getByLabelText('6-stelliger App-Code')
    await activate()
    expect(complaintAt(code)).toBe('Bitte 6-stelligen App-Code eingeben.')
    expect(document.activeElement).toBe(code)
    await user.type(code, '123 456')
    await activate()
    await authenticatorCard.findByText('Code ungültig.')
    expect(complaintAt(code)).toBe('Code ungültig.')
    await eventually(() => expect(document.activeElement).toBe(code))
    await activate()
    const dialog = within(await screen.findByRole('dialog', { name: 'Deine Wiederherstellungscodes' }))
    expect(dialog.getAllByRole('listitem').map(item => item.textContent)).toEqual(CODES)
    expect(sent).toEqual([{ code: '123456' }, { code: '123456' }])
    await user.click(dialog.getByRole('button', { name: /Kopieren/ }))
    expect(await navigator.clipboard.readText()).toContain(CODES.join('\n'))
    await user.click(dialog.getByRole('button', { name: 'Drucken' }))
    expect(print).toHaveBeenCalledOnce()
    expect(dialog.getByText('Authenticator erfolgreich aktiviert.').getAttribute('role')).toBe('status')
    await user.keyboard('{Escape}')
    const done = dialog.getByRole('button', { name: 'Fertig' })
    const saved = dialog.getByLabelText('Ich habe sie gesichert')
    await user.click(done)
    expect(complaintAt(saved)).toBe('Bitte bestätige erst, dass du sie gesichert hast.')
    expect(document.activeElement).toBe(saved)
    await user.click(saved)
    expect(complaintAt(saved)).toBeNull()
    await user.click(done)
    await eventually(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await authenticatorCard.findByText('Du hast noch 10 Wiederherstellungscodes.')).toBeTruthy()
    expect(document.body.textContent).not.toContain(CODES[0])
    const disable = authenticatorCard.getByRole('button', { name: 'Authenticator deaktivieren' })
    await eventually(() => expect(document.activeElement).toBe(disable))
  })

  describe('that is set up some time after the login', () => {
    const path = url('/api/auth/2fa/setup/start')
    const NEEDED = refusal(403, 'Bitte gib dein Passwort ein.', { code: 'password_needed' })

    /** Answers like the service, with `others` first for requests with a password. */
    async function startSetup(...others: Response[]) {
      const sent: unknown[] = []
      server.use(
        http.post(path, async ({ request }) => {
          const body = (await request.json()) as { password?: string }
          sent.push(body)
          return body.password === undefined ? NEEDED.clone() : (others.shift() ?? HttpResponse.json(SETUP))
        }),
      )
      const user = open()
      const authenticatorCard = await card('Authenticator-App')
      await user.click(await authenticatorCard.findByRole('button', { name: 'Authenticator einrichten' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Authenticator einrichten' }))
      const field = dialog.getByLabelText<HTMLInputElement>('Dein Passwort')
      return { user, here: authenticatorCard, dialog, field, sent }
    }

    it('asks for the password, by keyboard too, and goes on', async () => {
      const { user, here, dialog, field, sent } = await startSetup()
      expect(here.queryByRole('alert')).toBeNull()
      await eventually(() => expect(document.activeElement).toBe(field))
      expect(field.autocomplete).toBe('current-password')
      await user.keyboard('{Enter}')
      await dialog.findByText('Bitte dein Passwort eingeben.')
      expect(complaintAt(field)).toBe('Bitte dein Passwort eingeben.')
      expect(sent).toHaveLength(1)
      await user.keyboard('Hobelbank26{Enter}')
      await secretIn(here, SETUP.secret)
      expect(screen.queryByRole('dialog')).toBeNull()
      expect(sent).toEqual([{}, { password: 'Hobelbank26' }])
      await eventually(() => expect(document.activeElement).toBe(here.getAllByRole('list')[0]))
      expect(here.getByText(/auf allen anderen Geräten abgemeldet/)).toBeTruthy()
    })

    it.each([
      [refusal(422, 'Das aktuelle Passwort ist falsch.'), 'Das aktuelle Passwort ist falsch.'],
      [refusal(429, 'Zu viele Versuche. Bitte später erneut versuchen.'), 'Zu viele Versuche.'],
      [HttpResponse.error(), 'Server nicht erreichbar.'],
      [refusal(500), 'Setup konnte nicht gestartet werden.'],
      [refusal(409, 'Der Authenticator ist bereits aktiv.'), 'Der Authenticator ist bereits aktiv.'],
    ])('says why the password leads no further, and lets try again (%#)', async (reply, sentence) => {
      const { user, here, dialog, field } = await startSetup(reply)
      await user.type(field, 'falsch{Enter}')
      expect((await dialog.findByRole('alert')).textContent).toContain(sentence)
      expect(currentSession()?.token).toBe('token-1')
      await user.clear(field)
      await user.type(field, 'Hobelbank26{Enter}')
      await secretIn(here, SETUP.secret)
    })

    it('can be left, and the focus is where it was', async () => {
      const { user, here, sent } = await startSetup()
      await user.keyboard('{Escape}')
      await eventually(() => expect(screen.queryByRole('dialog')).toBeNull())
      const start = here.getByRole('button', { name: 'Authenticator einrichten' })
      await eventually(() => expect(document.activeElement).toBe(start))
      expect(sent).toHaveLength(1)
      await user.click(start)
      const reopened = within(await screen.findByRole('dialog', { name: 'Authenticator einrichten' }))
      expect(reopened.getByLabelText<HTMLInputElement>('Dein Passwort').value).toBe('')
    })

    it('is not left while the service compares the password', async () => {
      const { user, dialog, field, here } = await startSetup()
      const { answer, asked: compared, release } = held(() => HttpResponse.json(SETUP))
      server.use(http.post(path, answer))
      await user.type(field, 'Hobelbank26{Enter}')
      await compared
      await user.keyboard('{Escape}')
      expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Abbrechen' }).disabled).toBe(true)
      release()
      await secretIn(here, SETUP.secret)
    })
  })

  it('that becomes active shows that the other sessions have ended', async () => {
    const otherSession = { ...FIREFOX, id: 's-2', device: 'Chrome auf Android', current: false }
    server.use(
      http.get(url('/api/auth/sessions'), () => HttpResponse.json([FIREFOX, otherSession])),
      started(),
      http.post(url('/api/auth/2fa/setup/verify'), () => {
        server.use(...accountAnswers(), status(true))
        return HttpResponse.json({ ok: true, message: '', recoveryCodes: CODES })
      }),
    )
    const user = open()
    await screen.findByText('Chrome auf Android')
    const authenticatorCard = await card('Authenticator-App')
    await user.click(await authenticatorCard.findByRole('button', { name: 'Authenticator einrichten' }))
    await user.type(await authenticatorCard.findByLabelText('6-stelliger App-Code'), '123456{Enter}')
    await screen.findByRole('dialog', { name: 'Deine Wiederherstellungscodes' })
    await eventually(() => expect(screen.queryByText('Chrome auf Android')).toBeNull())
  })

  it('whose setup is given up leaves the focus where it began', async () => {
    server.use(started())
    const user = open()
    const authenticatorCard = await card('Authenticator-App')
    await user.click(await authenticatorCard.findByRole('button', { name: 'Authenticator einrichten' }))
    await user.click(await authenticatorCard.findByRole('button', { name: 'Abbrechen' }))
    const start = await authenticatorCard.findByRole('button', { name: 'Authenticator einrichten' })
    await eventually(() => expect(document.activeElement).toBe(start))
  })

  it('is taken away with a code only', async () => {
    const sent: unknown[] = []
    server.use(
      status(true, 1),
      http.post(url('/api/auth/2fa/disable'), async ({ request }) => {
        sent.push(await request.json())
        if (sent.length === 1) return refusal(422, 'Code ungültig.')
        server.use(status(false))
        return HttpResponse.json({ ok: true, message: '' })
      }),
    )
    const user = open()
    const authenticatorCard = await card('Authenticator-App')
    await authenticatorCard.findByText('Du hast noch 1 Wiederherstellungscode.')
    await user.click(authenticatorCard.getByRole('button', { name: 'Authenticator deaktivieren' }))
    const dialog = within(await screen.findByRole('dialog'))
    const press = () => user.click(dialog.getByRole('button', { name: 'Deaktivieren' }))
    const code = dialog.getByLabelText('App-Code oder Wiederherstellungscode')
    await press()
    expect(complaintAt(code)).toBe('Bitte 6-stelligen App-Code eingeben.')
    expect(document.activeElement).toBe(code)
    expect(sent).toEqual([])
    await user.type(code, ' abcd-0001 ')
    await press()
    const alert = await dialog.findByRole('alert')
    expect(alert.textContent).toContain('Deaktivieren fehlgeschlagen.')
    expect(alert.textContent).toContain('Code ungültig.')
    await press()
    await success('Authenticator deaktiviert.')
    await authenticatorCard.findByText('nicht aktiv')
    expect(sent).toEqual([{ code: 'abcd-0001' }, { code: 'abcd-0001' }])
  })
})

describe('taking the authenticator away', () => {
  it('is not left while the service has not answered', async () => {
    const { answer, release } = held(() => HttpResponse.json({ ok: true, message: '' }))
    server.use(status(true), http.post(url('/api/auth/2fa/disable'), answer))
    const user = open()
    const authenticatorCard = await card('Authenticator-App')
    await user.click(await authenticatorCard.findByRole('button', { name: 'Authenticator deaktivieren' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByRole('textbox'), 'abcd-0001{Enter}')
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Abbrechen' })).toHaveProperty('disabled', true)
    release()
    await success('Authenticator deaktiviert.')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
