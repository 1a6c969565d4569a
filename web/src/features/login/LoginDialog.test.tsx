import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginPage } from '../../../tests/login'
import { fill, renderPage } from '../../../tests/page'
import { held, logInAs, MIA, serve, server, url } from '../../../tests/server'
import { currentSession, reload, type Session } from '../../api/session'

serve()
beforeEach(() => reload())

async function open() {
  const user = userEvent.setup()
  const onDone = vi.fn<(session: Session) => void>()
  renderPage(<LoginPage onDone={onDone} />)
  await user.click(screen.getByRole('button', { name: 'Öffnen' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }))
  const submit = () => user.click(screen.getByRole('button', { name: 'Einloggen' }))
  const fillIn = async () => {
    await fill(await screen.findByLabelText('Firmenname'), 'Holm')
    await fill(screen.getByLabelText('Benutzername'), 'mia')
    await fill(screen.getByLabelText('Passwort'), 'geheim')
  }
  return { user, onDone, dialog, submit, fillIn }
}

const answering = (status: number, body: object | string | null) =>
  server.use(
    http.post(url('/api/login'), () =>
      typeof body === 'object' ? HttpResponse.json(body, { status }) : new HttpResponse(body, { status }),
    ),
  )

describe('the login', () => {
  it('sends company, username and password, and hands on the five parts', async () => {
    let sent: unknown
    server.use(
      http.post(url('/api/login'), async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ success: true, message: 'Angemeldet.', ...MIA })
      }),
    )
    const { onDone, fillIn, submit } = await open()
    await fillIn()
    await submit()
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(sent).toEqual({ company: 'Holm', username: 'mia', password: 'geheim' })
  })

  it('carries no session, and its refusal ends none', async () => {
    logInAs()
    let header: string | null = ''
    server.use(
      http.post(url('/api/login'), ({ request }) => {
        header = request.headers.get('Authorization')
        return HttpResponse.json({ success: false, message: 'Nein.' }, { status: 401 })
      }),
    )
    const { dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    await dialog.findByRole('alert')
    expect(header).toBeNull()
    expect(currentSession()).toEqual(MIA)
  })

  it.each([
    [
      401,
      { success: false, message: 'Firma, Benutzername oder Passwort ist falsch.' },
      'Firma, Benutzername oder Passwort ist falsch.',
    ],
    [401, { success: false }, 'Login fehlgeschlagen'],
    [403, { message: 'Account locked (TOS Violation/ Safety)' }, 'Account locked (TOS Violation/ Safety)'],
    [500, '<html>', 'Login fehlgeschlagen'],
    [200, { success: false, message: 'Heute nicht.' }, 'Heute nicht.'],
    [200, { success: false }, 'Login fehlgeschlagen'],
    [200, { ...MIA, success: true, userId: undefined }, 'Login fehlgeschlagen'],
    [502, null, 'Server nicht erreichbar'],
  ])('answered %i %j says "%s" in a box', async (status, body, sentence) => {
    answering(status, body)
    const { onDone, dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    expect((await dialog.findByRole('alert')).textContent).toBe(sentence)
    expect(onDone).not.toHaveBeenCalled()
  })

  it('refused has the password ready to be typed anew', async () => {
    answering(401, { success: false })
    const { dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    await dialog.findByRole('alert')
    const password = dialog.getByLabelText('Passwort') as HTMLInputElement
    await waitFor(() => expect(document.activeElement).toBe(password))
    expect([password.selectionStart, password.selectionEnd]).toEqual([0, password.value.length])
  })

  it('without a network says so', async () => {
    server.use(http.post(url('/api/login'), () => HttpResponse.error()))
    const { dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    expect((await dialog.findByRole('alert')).textContent).toBe('Server nicht erreichbar')
  })

  it('explains a step that it does not know', async () => {
    answering(200, { success: true, next: 'something_new', temp_token: 'x' })
    const { onDone, dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    expect((await dialog.findByRole('alert')).textContent).toContain('noch ein Anmeldeschritt')
    expect(onDone).not.toHaveBeenCalled()
  })

  it('asks nobody while a field is empty: it says which, and leads to the first', async () => {
    let calls = 0
    server.use(
      http.post(url('/api/login'), () => {
        calls += 1
        return HttpResponse.json({ success: true, ...MIA })
      }),
    )
    const { user, onDone, dialog } = await open()
    const field = (name: string) => dialog.getByLabelText(name) as HTMLInputElement
    const complaints = () =>
      ['Firmenname', 'Benutzername', 'Passwort'].filter(
        name => field(name).getAttribute('aria-invalid') === 'true',
      )
    expect(complaints()).toEqual([])
    await user.type(field('Benutzername'), '   {Enter}')
    expect(complaints()).toEqual(['Firmenname', 'Benutzername', 'Passwort'])
    expect(dialog.getAllByText('Bitte ausfüllen.')).toHaveLength(3)
    for (const name of complaints()) {
      const describedBy = field(name).getAttribute('aria-describedby') ?? ''
      expect(document.getElementById(describedBy)?.textContent).toBe('Bitte ausfüllen.')
    }
    expect(document.activeElement).toBe(field('Firmenname'))
    await user.keyboard('Holm')
    expect(complaints()).toEqual(['Benutzername', 'Passwort'])
    await user.type(field('Passwort'), 'x{Enter}')
    expect(document.activeElement).toBe(field('Benutzername'))
    expect(calls).toBe(0)
    await user.keyboard('mia{Enter}')
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(MIA))
    expect(calls).toBe(1)
  })

  it('keeps everything that is filled in at once, as by a store of passwords', async () => {
    const { dialog } = await open()
    const filled = [
      ['Firmenname', 'Holm'],
      ['Benutzername', 'mia'],
      ['Passwort', 'geheim'],
    ] as const
    const field = (name: string) => dialog.getByLabelText(name) as HTMLInputElement
    act(() => {
      for (const [name, value] of filled) fireEvent.change(field(name), { target: { value } })
    })
    expect(filled.map(([name]) => field(name).value)).toEqual(['Holm', 'mia', 'geheim'])
  })

  it('ignores a second press while the first is in flight', async () => {
    let calls = 0
    const { answer, release } = held(() =>
      HttpResponse.json({ success: false, message: 'Nein.' }, { status: 401 }),
    )
    server.use(
      http.post(url('/api/login'), () => {
        calls += 1
        return answer()
      }),
    )
    const { user, dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    await submit()
    await user.keyboard('{Enter}')
    release()
    await dialog.findByRole('alert')
    expect(calls).toBe(1)
    await submit()
    await waitFor(() => expect(calls).toBe(2))
  })

  it('starts empty at every opening, and closes by Escape, by the overlay and by its button', async () => {
    answering(401, { success: false, message: 'Nein.' })
    const { user, dialog, fillIn, submit } = await open()
    await fillIn()
    await submit()
    await dialog.findByRole('alert')
    const ways = [
      () => user.keyboard('{Escape}'),
      () => user.click(document.querySelector('.mantine-Modal-overlay') as Element),
      () => user.click(screen.getByRole('button', { name: 'Schließen' })),
    ]
    for (const close of ways) {
      await close()
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      await user.click(screen.getByRole('button', { name: 'Öffnen' }))
      const reopened = within(await screen.findByRole('dialog'))
      for (const name of ['Firmenname', 'Benutzername', 'Passwort']) {
        expect((reopened.getByLabelText(name) as HTMLInputElement).value).toBe('')
      }
      expect(reopened.queryByRole('alert')).toBeNull()
      await user.type(reopened.getByLabelText('Firmenname'), 'x')
    }
  })

  it('that is closed before its answer logs nobody in', async () => {
    const { answer, asked, release } = held(() => HttpResponse.json({ success: true, ...MIA }))
    server.use(http.post(url('/api/login'), answer))
    const { user, onDone, fillIn, submit } = await open()
    await fillIn()
    await submit()
    await asked
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    release()
    // The later login's answer arrives after it.
    const ben = { ...MIA, userId: 'u-2' }
    answering(200, { success: true, ...ben })
    await user.click(screen.getByRole('button', { name: 'Öffnen' }))
    await fillIn()
    await submit()
    await waitFor(() => expect(onDone).toHaveBeenCalled())
    expect(onDone.mock.calls).toEqual([[ben]])
  })
})
