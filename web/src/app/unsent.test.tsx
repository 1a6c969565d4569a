import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { AppWithQueries } from '../../tests/app'
import { layEvents } from '../../tests/events'
import { eventually } from '../../tests/eventually'
import { fill } from '../../tests/page'
import { accountAnswers, logInAs, MIA, serve, server, timesAnswer, url } from '../../tests/server'
import { reportReached } from '../api/connectivity'
import { currentSession, end, reload } from '../api/session'
import { db } from '../offline/db'
import { discard, put } from '../offline/outbox'

const LETTER = {
  id: 'k-1',
  userId: MIA.userId,
  username: MIA.username,
  kind: 'vacation',
  path: '/api/vacation-requests',
  body: {},
  createdAt: Date.now(),
  refusal: null,
}
let leftBehind = 0

serve()
beforeEach(async () => {
  reload()
  reportReached()
  layEvents()
  leftBehind = 0
  await discard()
  server.use(
    timesAnswer([]),
    ...accountAnswers(),
    // The service is reachable, but does not accept it now.
    http.post(url('/api/vacation-requests'), () => new HttpResponse(null, { status: 500 })),
    http.post(url('/api/logout'), () => {
      leftBehind += 1
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

function open(address: string) {
  window.history.replaceState(null, '', address)
  render(<AppWithQueries />)
}

describe('who has something unsent on the device', () => {
  it('is asked before the logout, and stays', async () => {
    logInAs()
    await put(LETTER)
    open('/dashboard?tab=my_times')
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/1 Änderung von dir ist noch nicht beim Server/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Angemeldet bleiben' }))
    expect(currentSession()?.userId).toBe(MIA.userId)
    expect(await db.outbox.count()).toBe(1)
  })

  it('may go all the same, and then nothing of it is left', async () => {
    logInAs()
    await put(LETTER)
    open('/dashboard?tab=my_times')
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Verwerfen und abmelden' }))
    expect(currentSession()).toBeNull()
    await eventually(async () => expect(await db.outbox.count()).toBe(0))
  })

  it('is told of it when the session has run out, and keeps it', async () => {
    logInAs()
    await put(LETTER)
    open('/dashboard?tab=my_times')
    await screen.findByRole('heading', { name: 'Meine Zeiten' })
    end('expired')
    expect(await screen.findByText(/wartet noch 1 Änderung von dir/)).toBeTruthy()
    expect(await db.outbox.count()).toBe(1)
  })
})

describe('who logs in where somebody else has something unsent', () => {
  const BEN = { ...MIA, userId: 'u-2', username: 'ben', token: 'token-ben' }

  async function logIn() {
    await put(LETTER)
    server.use(http.post(url('/api/login'), () => HttpResponse.json({ success: true, ...BEN })))
    open('/')
    await userEvent.click(await screen.findByRole('button', { name: 'Login' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(dialog.getByLabelText('Firmenname'), 'Tischlerei Holm')
    await fill(dialog.getByLabelText('Benutzername'), 'ben')
    await fill(dialog.getByLabelText('Passwort'), 'geheim')
    await userEvent.click(dialog.getByRole('button', { name: 'Einloggen' }))
    await screen.findByText(/nicht gesendete Änderung von Mia Sommer/)
  }

  it('is asked, and may leave it there: the session that was just opened is given back', async () => {
    await logIn()
    await userEvent.click(screen.getByRole('button', { name: 'Abbrechen' }))
    expect(currentSession()).toBeNull()
    await eventually(() => expect(leftBehind).toBe(1))
    expect(await db.outbox.count()).toBe(1)
  })

  it('takes its place on purpose alone', async () => {
    await logIn()
    await userEvent.click(screen.getByRole('button', { name: 'Verwerfen und anmelden' }))
    expect(currentSession()?.userId).toBe('u-2')
    await eventually(async () => expect(await db.outbox.count()).toBe(0))
  })
})
