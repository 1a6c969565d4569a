import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, vi } from 'vitest'
import { reportReached } from '../src/api/connectivity'
import { reload } from '../src/api/session'
import { AccountPage } from '../src/features/account/AccountPage'
import { renderPage } from './page'
import { accountAnswers, logInAs, serve, server, url } from './server'

/** Every test of the file has a logged-in person, a service that answers, and the same moment. */
export function serveAccount() {
  serve()
  beforeEach(() => {
    reload()
    logInAs()
    reportReached()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
    server.use(...accountAnswers())
  })
  afterEach(() => {
    vi.useRealTimers()
    reportReached()
  })
}

export const open = () => {
  renderPage(<AccountPage />)
  return userEvent.setup()
}

export const card = async (name: string) => within(await screen.findByRole('region', { name }))

export function status(enabled: boolean, recoveryCodesLeft = 10) {
  const body = { ok: true, message: '', enabled, recoveryCodesLeft }
  return http.get(url('/api/auth/2fa/status'), () => HttpResponse.json(body))
}

/** The secret for the app, wherever it is shown: in groups, and one word all the same. */
export const secretIn = (here: Awaited<ReturnType<typeof card>>, secret: string) =>
  here.findByText((_, element) => element?.tagName === 'CODE' && element.textContent === secret)
