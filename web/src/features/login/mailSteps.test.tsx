import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import {
  calls,
  cookies,
  EMAIL,
  enter,
  focused,
  json,
  LOGIN,
  no,
  on,
  SEND,
  sent,
  serveLogins,
  session,
  step,
} from '../../../tests/login'
import { held, MIA, never, refusal } from '../../../tests/server'

serveLogins()

describe('the first login', () => {
  it('links an address, and is in with the code that was sent there', async () => {
    on(LOGIN, step('email_input'))
    on(SEND, sent())
    on(EMAIL, session())
    const { user, onDone, field } = await enter()
    const email = await field('E-Mail-Adresse')
    await focused('E-Mail-Adresse')
    expect(email).toMatchObject({ type: 'text', inputMode: 'email', autocomplete: 'email' })
    await user.type(email, 'mia@holm.de{Enter}')
    const code = await field('6-stelliger E-Mail-Code')
    await focused('6-stelliger E-Mail-Code')
    expect(screen.getByRole('status').textContent).toContain('mia@holm.de')
    expect(code.inputMode).toBe('numeric')
    expect(code.autocomplete).toBe('one-time-code')
    await user.click(code)
    await user.paste(' 123 456 ')
    expect(code.value).toBe('123456')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(SEND).map(call => call.body)).toEqual([{ temp_token: 'temp-1', email: 'mia@holm.de' }])
    expect(calls(EMAIL).map(call => call.body)).toEqual([
      { temp_token: 'temp-1', code: '123456', rememberDevice: true },
    ])
    expect(cookies).toMatchObject({ [LOGIN]: 'include', [EMAIL]: 'include' })
  })

  it('asks for no code and sends none that is missing: each step says what it wants, and leads there', async () => {
    on(LOGIN, step('email_input'))
    on(SEND, sent())
    on(EMAIL, session())
    const { user, press, field, saidAt } = await enter()
    await user.type(await field('E-Mail-Adresse'), '   ')
    await press('Code senden')
    expect(await saidAt('E-Mail-Adresse')).toBe('Bitte ausfüllen.')
    await focused('E-Mail-Adresse')
    expect(calls(SEND)).toHaveLength(0)
    await user.keyboard('mia@holm.de{Enter}')
    await field('6-stelliger E-Mail-Code')
    await press('Bestätigen')
    expect(await saidAt('6-stelliger E-Mail-Code')).toBe('Bitte ausfüllen.')
    await focused('6-stelliger E-Mail-Code')
    expect(calls(EMAIL)).toHaveLength(0)
  })

  it('has "Code senden" disabled while the address is empty and while a request is in flight', async () => {
    const { answer, release } = held(() => sent())
    on(LOGIN, step('email_input'))
    on(SEND, answer)
    const { user, field, button } = await enter()
    const email = await field('E-Mail-Adresse')
    expect(button('Code senden').ariaDisabled).toBe('true')
    await user.type(email, 'mia@holm.de')
    expect(button('Code senden').ariaDisabled).toBeNull()
    await user.keyboard('{Enter}')
    expect(button('Code senden').ariaDisabled).toBe('true')
    release()
    await field('6-stelliger E-Mail-Code')
  })

  it('lets a wrong address be corrected, and goes back to the beginning without the password', async () => {
    on(LOGIN, step('email_input'))
    on(SEND, sent())
    const { user, press, field, dialog } = await enter()
    await user.type(await field('E-Mail-Adresse'), 'mia@hilm.de{Enter}')
    await press('Andere Adresse')
    expect((await field('E-Mail-Adresse')).value).toBe('mia@hilm.de')
    await press('Zurück')
    expect((await field('Firmenname')).value).toBe('Holm')
    expect((await field('Passwort')).value).toBe('')
    await focused('Firmenname')
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it.each([
    [no(422, 'invalid', 'Das ist keine E-Mail-Adresse.'), 'Das ist keine E-Mail-Adresse.'],
    [
      json(
        { ok: false, message: 'Ungültige Eingabe.', errors: [{ field: 'email', message: 'Zu lang.' }] },
        422,
      ),
      'Zu lang.',
    ],
    [json({ ok: false }, 500), 'Fehler beim Senden des Codes'],
    [json({ ok: false }), 'Fehler beim Senden des Codes'],
    [
      refusal(503, 'Fehler beim Senden des Codes', { ok: false, code: 'mail_failed' }),
      'Fehler beim Senden des Codes',
    ],
    [HttpResponse.error(), 'Server nicht erreichbar'],
  ])('says at the field why no code was sent (%#)', async (reply, sentence) => {
    on(LOGIN, step('email_input'))
    on(SEND, () => reply.clone())
    const { user, field, saidAt } = await enter()
    await user.type(await field('E-Mail-Adresse'), 'mia{Enter}')
    expect(await saidAt('E-Mail-Adresse')).toBe(sentence)
    await focused('E-Mail-Adresse')
  })
})

describe('a login by mail', () => {
  it('sends the code by itself, once, and says where it went', async () => {
    on(LOGIN, step('email_otp', { emailHint: 'm…@holm.de' }))
    on(SEND, sent())
    const { dialog, button } = await enter()
    await dialog.findByText('m…@holm.de')
    expect(dialog.getByRole('status').textContent).toContain('Code an m…@holm.de geschickt')
    await focused('6-stelliger E-Mail-Code')
    expect(calls(SEND).map(call => call.body)).toEqual([{ temp_token: 'temp-1' }])
    expect(button('Code erneut senden').disabled).toBe(false)
  })

  it('has "Bestätigen" disabled while the code is on its way, while none is typed, and while it is judged', async () => {
    const [sending, judging] = [held(() => sent()), held(session)]
    on(LOGIN, step('email_otp'))
    on(SEND, sending.answer)
    on(EMAIL, judging.answer)
    const { user, onDone, dialog, field, button } = await enter()
    const confirm = () => button('Bestätigen').ariaDisabled
    await user.type(await field('6-stelliger E-Mail-Code'), '123456')
    expect(confirm()).toBe('true')
    sending.release()
    await dialog.findByText(/Er gilt 10 Minuten/)
    expect(confirm()).toBeNull()
    await user.clear(await field('6-stelliger E-Mail-Code'))
    expect(confirm()).toBe('true')
    await user.keyboard('123456{Enter}')
    expect(confirm()).toBe('true')
    judging.release()
    await waitFor(() => expect(onDone).toHaveBeenCalled())
  })

  it('sends another on demand, and waits as long as the service wants', async () => {
    on(LOGIN, step('email_otp'))
    on(SEND, sent(), no(429, 'too_many_requests', 'Bitte warte einen Moment.', { 'Retry-After': '24' }))
    const { dialog, press, saidAt } = await enter()
    await press('Code erneut senden')
    expect(await saidAt('6-stelliger E-Mail-Code')).toBe('Bitte warte einen Moment.')
    const waiting = dialog.getByRole<HTMLButtonElement>('button', { name: /Code erneut senden \(in 2\d s\)/ })
    expect(waiting.disabled).toBe(true)
    expect(calls(SEND)).toHaveLength(2)
  })

  it('offers another only when the service would send it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    on(LOGIN, step('email_otp'))
    on(SEND, sent(30))
    const { dialog } = await enter()
    const waiting = await dialog.findByRole<HTMLButtonElement>('button', { name: /\(in 30 s\)/ })
    expect(waiting.disabled).toBe(true)
  })

  it('counts from the moment of the answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    on(LOGIN, step('email_otp'))
    on(SEND, () => {
      vi.setSystemTime(Date.now() + 600)
      return sent(30)
    })
    const { dialog } = await enter()
    expect((await dialog.findByText(/Code erneut senden \(in/)).textContent).toContain('in 30 s')
  })

  it('offers to send again when the first sending failed', async () => {
    on(LOGIN, step('email_otp'))
    on(SEND, json({ ok: false }, 500), sent())
    const { press, saidAt, dialog } = await enter()
    expect(await saidAt('6-stelliger E-Mail-Code')).toBe('Fehler beim Senden des Codes')
    await press('Code erneut senden')
    await dialog.findByText(/Er gilt 10 Minuten/)
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it.each([
    [no(401, 'wrong_code', 'Code ungültig oder abgelaufen'), 'Code ungültig oder abgelaufen'],
    [json({ ok: false }, 401), 'Code ungültig oder abgelaufen'],
    [json({ ok: true, message: '' }), 'Code ungültig oder abgelaufen'],
    [HttpResponse.error(), 'Server nicht erreichbar'],
  ])('refuses a wrong code at its field, and takes the next one (%#)', async (reply, sentence) => {
    on(LOGIN, step('email_otp'))
    on(SEND, sent())
    on(EMAIL, () => reply.clone(), session())
    const { user, onDone, field, saidAt, dialog } = await enter()
    await dialog.findByText(/Er gilt 10 Minuten/)
    await user.type(await field('6-stelliger E-Mail-Code'), '000000{Enter}')
    expect(await saidAt('6-stelliger E-Mail-Code')).toBe(sentence)
    await focused('6-stelliger E-Mail-Code')
    expect(onDone).not.toHaveBeenCalled()
    await user.keyboard('123456{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(EMAIL)[1]?.body).toMatchObject({ code: '123456' })
  })

  it('that has run out leads back to the beginning, with the sentence in the box', async () => {
    const sentence = 'Die Anmeldung ist abgelaufen. Bitte neu einloggen.'
    on(LOGIN, step('email_otp'))
    on(SEND, sent())
    on(EMAIL, no(401, 'login_expired', sentence))
    const { user, field, said, dialog } = await enter()
    await dialog.findByText(/Er gilt 10 Minuten/)
    await user.type(await field('6-stelliger E-Mail-Code'), '123456{Enter}')
    await field('Firmenname')
    expect(await said()).toBe(sentence)
    await focused('Firmenname')
  })

  it('ignores every press while a request is in flight, and remembers no device if told so', async () => {
    const { answer, release } = held(session)
    on(LOGIN, step('email_otp'))
    on(SEND, sent())
    on(EMAIL, answer)
    const { user, onDone, field, button, dialog } = await enter()
    await dialog.findByText(/Er gilt 10 Minuten/)
    const remember = await field('Dieses Gerät 30 Tage merken')
    expect(remember.checked).toBe(true)
    await user.click(remember)
    await user.type(await field('6-stelliger E-Mail-Code'), '123456')
    await user.dblClick(button('Bestätigen'))
    await user.type(await field('6-stelliger E-Mail-Code'), '{Enter}{Enter}')
    expect(button('Bestätigen').ariaBusy).toBe('true')
    expect(button('Code erneut senden').disabled).toBe(true)
    release()
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(calls(EMAIL)).toHaveLength(1)
    expect(calls(EMAIL)[0]?.body).toMatchObject({ rememberDevice: false })
    expect(calls(SEND)).toHaveLength(1)
  })

  it('that is closed while it sends starts afresh when it is opened again', async () => {
    on(LOGIN, step('email_otp'))
    on(SEND, never)
    const { user, dialog } = await enter()
    await dialog.findByText('Wir schicken dir einen Code …')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Öffnen' }))
    const reopened = within(await screen.findByRole('dialog'))
    expect((reopened.getByLabelText('Firmenname') as HTMLInputElement).value).toBe('')
  })
})
