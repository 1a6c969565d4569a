import { waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { complaintAt } from '../../../tests/complaints'
import {
  APP,
  CHANGE,
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
import { fill } from '../../../tests/page'
import { MIA } from '../../../tests/server'

serveLogins()

describe('a login by app', () => {
  it('takes the app’s code', async () => {
    on(LOGIN, step('totp'))
    on(APP, session())
    const { user, onDone, field } = await enter()
    await user.type(await field('6-stelliger App-Code'), '12ab34 56{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(APP).map(call => call.body)).toEqual([
      { temp_token: 'temp-1', code: '123456', rememberDevice: true },
    ])
    expect(cookies[APP]).toBe('include')
    expect(calls(SEND)).toHaveLength(0)
  })

  it('takes a recovery code as it is written', async () => {
    on(LOGIN, step('totp'))
    on(APP, session())
    const { user, onDone, field, press } = await enter()
    await press('Wiederherstellungscode verwenden')
    await focused('Wiederherstellungscode')
    await user.type(await field('Wiederherstellungscode'), ' ab12-cd34 {Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(APP)[0]?.body).toMatchObject({ code: 'ab12-cd34' })
  })

  it('has "Bestätigen" disabled while the code of either kind is empty', async () => {
    on(LOGIN, step('totp'))
    const { user, field, press, button } = await enter()
    for (const name of ['6-stelliger App-Code', 'Wiederherstellungscode']) {
      const code = await field(name)
      expect(button('Bestätigen').ariaDisabled).toBe('true')
      await user.type(code, '1')
      expect(button('Bestätigen').ariaDisabled).toBeNull()
      if (name !== 'Wiederherstellungscode') await press('Wiederherstellungscode verwenden')
    }
  })

  it('says at the field that a code is wrong, changes between the two kinds, and goes back', async () => {
    on(LOGIN, step('totp'))
    on(APP, json({ ok: false }, 401))
    const { user, field, press, saidAt, dialog } = await enter()
    await user.type(await field('6-stelliger App-Code'), '1{Enter}')
    expect(await saidAt('6-stelliger App-Code')).toBe('Code ungültig')
    await press('Wiederherstellungscode verwenden')
    // The error of one code does not apply to the other.
    expect(dialog.queryByRole('alert')).toBeNull()
    await press('Doch den App-Code eingeben')
    expect((await field('6-stelliger App-Code')).value).toBe('')
    await press('Zurück')
    await field('Firmenname')
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it('sends no code that is missing, says so at the field, and not of the other kind', async () => {
    on(LOGIN, step('totp'))
    on(APP, session())
    const { user, onDone, press, field, saidAt, dialog } = await enter()
    for (const [name, other] of [
      ['6-stelliger App-Code', 'Wiederherstellungscode verwenden'],
      ['Wiederherstellungscode', 'Doch den App-Code eingeben'],
    ] as const) {
      await field(name)
      await press('Bestätigen')
      expect(await saidAt(name)).toBe('Bitte ausfüllen.')
      await focused(name)
      await press(other)
      expect(dialog.queryByRole('alert')).toBeNull()
    }
    expect(calls(APP)).toHaveLength(0)
    await user.type(await field('6-stelliger App-Code'), '123456{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
  })
})

describe('a password that was reset', () => {
  it('is replaced first; then comes the second factor', async () => {
    on(LOGIN, step('password_change'))
    on(CHANGE, step('email_otp', { temp_token: 'temp-2' }))
    on(SEND, sent())
    on(EMAIL, session())
    const { user, onDone, field, dialog } = await enter()
    await fill(await field('Neues Passwort'), 'ein ganz neues')
    await fill(await field('Neues Passwort wiederholen'), 'ein ganz neues')
    await user.keyboard('{Enter}')
    await dialog.findByText(/Er gilt 10 Minuten/)
    await user.type(await field('6-stelliger E-Mail-Code'), '123456{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(CHANGE)[0]?.body).toEqual({ temp_token: 'temp-1', newPassword: 'ein ganz neues' })
    expect(calls(SEND)[0]?.body).toEqual({ temp_token: 'temp-2' })
    expect(calls(EMAIL)[0]?.body).toMatchObject({ temp_token: 'temp-2' })
  })

  it('may be all that was missing', async () => {
    on(LOGIN, step('password_change'))
    on(CHANGE, session())
    const { user, onDone, field } = await enter()
    await fill(await field('Neues Passwort'), 'ein ganz neues')
    await fill(await field('Neues Passwort wiederholen'), 'ein ganz neues')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
  })

  it('says what it has to have, and is not sent while a field is empty or the two differ', async () => {
    on(LOGIN, step('password_change'))
    on(CHANGE, session())
    const { user, onDone, field, press, dialog } = await enter()
    const complaints = async () => [
      complaintAt(await field('Neues Passwort')),
      complaintAt(await field('Neues Passwort wiederholen')),
    ]
    expect(await dialog.findByText('Mindestens 8 Zeichen.')).toBeTruthy()
    expect(await complaints()).toEqual([null, null])
    await press('Passwort speichern')
    expect(await complaints()).toEqual(['Bitte alle Felder ausfüllen.', 'Bitte ausfüllen.'])
    await focused('Neues Passwort')
    await user.keyboard('ganz neu{Enter}')
    expect(await complaints()).toEqual([null, 'Bitte alle Felder ausfüllen.'])
    await focused('Neues Passwort wiederholen')
    await user.keyboard('ganz neuer{Enter}')
    expect(await complaints()).toEqual([null, 'Passwörter stimmen nicht überein.'])
    expect(dialog.queryByText('Bitte alle Felder ausfüllen.')).toBeNull()
    expect(calls(CHANGE)).toHaveLength(0)
    await user.type(await field('Neues Passwort'), 'er{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(CHANGE).map(call => call.body)).toEqual([
      { temp_token: 'temp-1', newPassword: 'ganz neuer' },
    ])
  })

  it.each([
    [no(422, 'invalid', 'Das Passwort muss mindestens 8 Zeichen haben.'), /mindestens 8 Zeichen haben/],
    [json({ ok: false }, 500), /^Fehler beim Ändern\.$/],
  ])('that is refused says why at its field (%#)', async (reply, sentence) => {
    on(LOGIN, step('password_change'))
    on(CHANGE, () => reply.clone())
    const { user, field, saidAt } = await enter()
    await user.type(await field('Neues Passwort'), 'kurz')
    await user.type(await field('Neues Passwort wiederholen'), 'kurz{Enter}')
    expect(await saidAt('Neues Passwort')).toMatch(sentence)
    await focused('Neues Passwort')
  })
})
