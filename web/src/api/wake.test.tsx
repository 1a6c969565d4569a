import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { serve, server, url } from '../../tests/server'
import { endSession, hashOf, wakeFor } from './wake'

const HASH = 'a1'.repeat(32)

serve()

describe('a waking', () => {
  it('is about a session that was left, or none of this', () => {
    expect(hashOf(`left/${HASH}`)).toBe(HASH)
    expect(hashOf('test-tag-from-devtools')).toBeNull()
  })

  it('ends the session that it is about, without any token', async () => {
    let sent: unknown
    let bearer: string | null = 'unknown'
    server.use(
      http.post(url('/api/logout'), async ({ request }) => {
        sent = await request.json()
        bearer = request.headers.get('Authorization')
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await endSession(HASH)
    expect(sent).toEqual({ sessions: [HASH] })
    expect(bearer).toBeNull()
  })

  it.each([429, 500, 502, 503])('is wanted again where the answer is %s', async status => {
    server.use(http.post(url('/api/logout'), () => new HttpResponse(null, { status })))
    await expect(endSession(HASH)).rejects.toThrow(String(status))
  })

  it.each([204, 401, 422])('is the last one where the answer is %s', async status => {
    server.use(http.post(url('/api/logout'), () => new HttpResponse(null, { status })))
    await expect(endSession(HASH)).resolves.toBeUndefined()
  })

  it.each([
    ['no workers', undefined],
    ['no worker yet', { getRegistration: async () => undefined }],
    ['no background sync', { getRegistration: async () => ({}) }],
    [
      'forbidden it',
      { getRegistration: async () => ({ sync: { register: async () => Promise.reject(new Error('no')) } }) },
    ],
  ])('is not asked for where the browser has %s', async (_, serviceWorker) => {
    const lost = vi.fn()
    process.on('unhandledRejection', lost)
    vi.stubGlobal('navigator', { serviceWorker })
    wakeFor([HASH])
    await new Promise(resolve => setTimeout(resolve))
    process.off('unhandledRejection', lost)
    expect(lost).not.toHaveBeenCalled()
  })
})
