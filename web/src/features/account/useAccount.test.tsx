import { act, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderQueries } from '../../../tests/page'
import {
  accountAnswers,
  FIREFOX,
  logInAs,
  MIA,
  never,
  refusal,
  serve,
  server,
  url,
} from '../../../tests/server'
import { reload } from '../../api/session'
import {
  useActivate,
  useChangePassword,
  useDisable,
  useEndSession,
  useSecondFactor,
  useSessions,
} from './useAccount'

const CODES = ['abcd-0001', 'abcd-0002']

serve()
beforeEach(() => {
  reload()
  logInAs()
  server.use(...accountAnswers())
})

/** Renders status, sessions and one of the mutation hooks, once the first two have loaded. */
async function beside<Acting>(hook: () => Acting) {
  const result = renderQueries(() => ({
    status: useSecondFactor(),
    sessions: useSessions(),
    acting: hook(),
  }))
  await waitFor(() => expect(result.current.status.data).toBeDefined())
  await waitFor(() => expect(result.current.sessions.data).toEqual([FIREFOX]))
  return result
}

const status = (answer: () => Response | Promise<Response>) =>
  server.use(http.get(url('/api/auth/2fa/status'), answer))

describe('the recovery codes', () => {
  beforeEach(() =>
    server.use(
      http.post(url('/api/auth/2fa/setup/verify'), () =>
        HttpResponse.json({ ok: true, message: '', recoveryCodes: CODES }),
      ),
    ),
  )

  it('wait for no status', async () => {
    const hooks = await beside(() => useActivate())
    status(never)
    await act(async () => expect(await hooks.current.acting.run('123456')).toEqual(CODES))
    await waitFor(() =>
      expect(hooks.current.status.data).toMatchObject({ enabled: true, recoveryCodesLeft: 2 }),
    )
  })

  it('stand beside what is active also when the status does not come', async () => {
    const hooks = await beside(() => useActivate())
    status(() => HttpResponse.error())
    await act(async () => expect(await hooks.current.acting.run('123456')).toEqual(CODES))
    await waitFor(() => expect(hooks.current.status.error).not.toBeNull())
    expect(hooks.current.status.data?.enabled).toBe(true)
  })
})

it('what is taken away is away also when the status does not come', async () => {
  server.use(http.post(url('/api/auth/2fa/disable'), () => HttpResponse.json({ ok: true, message: '' })))
  status(() => HttpResponse.json({ ok: true, enabled: true, message: '', recoveryCodesLeft: 3 }))
  const hooks = await beside(() => useDisable())
  status(() => HttpResponse.error())
  await act(async () => expect(await hooks.current.acting.run('123456')).toBe(true))
  await waitFor(() => expect(hooks.current.status.data?.enabled).toBe(false))
})

it('a changed password waits for no list of sessions', async () => {
  server.use(
    http.put(url('/api/users/u-1/change-password'), () =>
      HttpResponse.json({ ...MIA, token: 'token-2', message: '' }),
    ),
  )
  const hooks = await beside(() => useChangePassword('u-1'))
  server.use(http.get(url('/api/auth/sessions'), never))
  const passwords = { currentPassword: 'alt', newPassword: 'ein neues' }
  await act(async () => expect(await hooks.current.acting.run(passwords)).toBe(true))
})

describe('a session that ends', () => {
  const END = url('/api/auth/sessions/s-1')
  const answerNoSessions = () => server.use(http.get(url('/api/auth/sessions'), () => HttpResponse.json([])))

  it('is ended also when it was over already', async () => {
    server.use(http.delete(END, () => refusal(404, 'Nicht gefunden.', { code: 'not_found' })))
    const hooks = await beside(() => useEndSession())
    answerNoSessions()
    await act(async () => expect(await hooks.current.acting.run('s-1')).toBe(true))
    await waitFor(() => expect(hooks.current.sessions.data).toEqual([]))
  })

  it('and is refused: the list is asked for all the same', async () => {
    server.use(http.delete(END, () => refusal(409, 'Nein.')))
    const hooks = await beside(() => useEndSession())
    answerNoSessions()
    await act(async () => expect(await hooks.current.acting.run('s-1')).toBeNull())
    await waitFor(() => expect(hooks.current.sessions.data).toEqual([]))
  })
})
