import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../tests/eventually'
import { logInAs, serve, server, url } from '../../tests/server'
import { reportReached } from '../api/connectivity'
import { reload } from '../api/session'
import { db } from '../offline/db'
import { keep, wipe } from '../offline/snapshots'
import { finishSignOuts } from './signOut'

serve()
beforeEach(async () => {
  reload()
  reportReached()
  await wipe()
})

describe('what a logout has left', () => {
  it('because the page was closed at once is wiped at the next opening', async () => {
    await keep('u-1', 'times/2026-11', ['mine'], 1)
    localStorage.setItem(`left/${'a1'.repeat(32)}`, String(Date.now() - 24 * 60 * 60 * 1_000))
    const stop = finishSignOuts()
    await eventually(async () => expect(await db.snapshots.count()).toBe(0))
    stop()
    expect(localStorage.length).toBe(0)
  })

  it('takes no copies from who is logged in, although somebody else’s logout has still to be told', async () => {
    let attempts = 0
    server.use(
      http.post(url('/api/logout'), () => {
        attempts += 1
        return HttpResponse.error()
      }),
    )
    logInAs()
    await keep('u-1', 'times/2026-11', ['mine'], 1)
    localStorage.setItem(`left/${'a1'.repeat(32)}`, String(Date.now()))
    const stop = finishSignOuts()
    await eventually(() => expect(attempts).toBe(1))
    stop()
    expect(await db.snapshots.count()).toBe(1)
  })
})
