import { act, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderQueries } from '../../../tests/page'
import { MIRA } from '../../../tests/people'
import { never, refusal, serve, server, url } from '../../../tests/server'
import type { User } from '../../entities/people/people'
import { usePeople } from '../../entities/people/usePeople'
import { useDeleteUser, useLock, useReset, useResetAll } from './useUsers'

const PASSWORDS = [{ userId: 'u-3', username: 'Mira', password: 'nebel-3' }]
const RESET = { password: 'nebel-kran-7041', expiresAt: '2026-11-21T10:10:00.000Z' }

let people: User[]

serve()
beforeEach(() => {
  people = [MIRA]
  server.use(http.get(url('/api/companies/holm/users'), () => HttpResponse.json(people)))
})

/** The list and one of the hooks, once the list has loaded. */
async function beside<Acting>(hook: () => Acting) {
  const result = renderQueries(() => ({ list: usePeople('holm'), acting: hook() }))
  await waitFor(() => expect(result.current.list.data).toEqual([MIRA]))
  return result
}

const notFound = () => refusal(404, 'Nicht gefunden.', { code: 'not_found' })

const failed = (hooks: { current: { acting: { failure: { detail: string } | null } } }, why: string) =>
  waitFor(() => expect(hooks.current.acting.failure?.detail).toBe(why))

const listNeverComes = () => server.use(http.get(url('/api/companies/holm/users'), never))

describe('a password that is shown once', () => {
  it('waits for no list', async () => {
    server.use(http.put(url('/api/users/u-3/password-reset'), () => HttpResponse.json(RESET)))
    const hooks = await beside(() => useReset('holm', 'u-3'))
    listNeverComes()
    await act(async () => expect(await hooks.current.acting.run(undefined)).toEqual(RESET))
  })

  it('waits for no list where it is one of many', async () => {
    server.use(http.put(url('/api/companies/holm/password-reset-all'), () => HttpResponse.json(PASSWORDS)))
    const hooks = await beside(() => useResetAll('holm'))
    listNeverComes()
    await act(async () => expect(await hooks.current.acting.run(undefined)).toEqual(PASSWORDS))
  })
})

describe('what somebody else has done before', () => {
  beforeEach(() => {
    server.use(
      http.put(url('/api/users/u-3/lock'), () => notFound()),
      http.delete(url('/api/users/u-3'), () => notFound()),
    )
  })

  it('is seen in the list after a refusal', async () => {
    const hooks = await beside(() => useLock('holm', 'u-3'))
    people = []
    await act(async () => expect(await hooks.current.acting.run(undefined)).toBeNull())
    await failed(hooks, 'Nicht gefunden.')
    await waitFor(() => expect(hooks.current.list.data).toEqual([]))
  })

  it('is done where it was a deletion', async () => {
    const hooks = await beside(() => useDeleteUser('holm', 'u-3'))
    people = []
    await act(async () => expect(await hooks.current.acting.run(undefined)).toBe(true))
    await waitFor(() => expect(hooks.current.list.data).toEqual([]))
  })

  it('is not done because there is no such call', async () => {
    server.use(http.delete(url('/api/users/u-3'), () => new HttpResponse(null, { status: 404 })))
    const hooks = await beside(() => useDeleteUser('holm', 'u-3'))
    await act(async () => expect(await hooks.current.acting.run(undefined)).toBeNull())
    await failed(hooks, 'Endpoint nicht gefunden (404).')
  })
})
