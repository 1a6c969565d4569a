import { waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
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
    const { user, onDone, field, press, button } = await enter()
    await press('Wiederherstellungscode verwenden')
    await focused('Wiederherstellungscode')
    expect(button('Bestätigen').disabled).toBe(true)
    await user.type(await field('Wiederherstellungscode'), ' ab12-cd34 {Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls(APP)[0]?.body).toMatchObject({ code: 'ab12-cd34' })
  })

  it('says that a code is wrong, changes between the two kinds, and goes back', async () => {
    on(LOGIN, step('totp'))
    on(APP, json({ ok: false }, 401))
    const { user, field, press, said, dialog } = await enter()
    await user.type(await field('6-stelliger App-Code'), '1{Enter}')
    expect(await said()).toBe('Code ungültig')
    await press('Wiederherstellungscode verwenden')
    // What was wrong with the one code is not said of the other.
    expect(dialog.queryByRole('alert')).toBeNull()
    await press('Doch den App-Code eingeben')
    expect((await field('6-stelliger App-Code')).value).toBe('')
    await press('Zurück')
    await field('Firmenname')
    expect(dialog.queryByRole('alert')).toBeNull()
  })
})

describe('a password that was reset', () => {
  it('is replaced first; then comes the second factor', async () => {
    on(LOGIN, step('password_change'))
    on(CHANGE, step('email_otp', { temp_token: 'temp-2' }))
    on(SEND, sent())
    on(EMAIL, session())
    const { user, onDone, field, dialog } = await enter()
    await user.type(await field('Neues Passwort'), 'ein ganz neues')
    await user.type(await field('Neues Passwort wiederholen'), 'ein ganz neues{Enter}')
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
    await user.type(await field('Neues Passwort'), 'ein ganz neues')
    await user.type(await field('Neues Passwort wiederholen'), 'ein ganz neues{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
  })

  it('says what it has to have, is not sent while a field is empty or the two differ, and a refusal stands in the box', async () => {
    on(LOGIN, step('password_change'))
    on(CHANGE, no(422, 'invalid', 'Das Passwort muss mindestens 8 Zeichen haben.'), json({ ok: false }, 500))
    const { user, field, said, press, dialog } = await enter()
    expect(dialog.getByText('Mindestens 8 Zeichen.')).toBeTruthy()
    await press('Passwort speichern')
    expect(await said()).toBe('Bitte alle Felder ausfüllen.')
    await user.type(await field('Neues Passwort'), 'kurz')
    await user.type(await field('Neues Passwort wiederholen'), 'kürzer{Enter}')
    expect(await said()).toBe('Passwörter stimmen nicht überein.')
    expect(calls(CHANGE)).toHaveLength(0)
    await user.clear(await field('Neues Passwort wiederholen'))
    await user.type(await field('Neues Passwort wiederholen'), 'kurz{Enter}')
    await dialog.findByText('Das Passwort muss mindestens 8 Zeichen haben.')
    await press('Passwort speichern')
    await dialog.findByText('Fehler beim Ändern.')
  })
})
