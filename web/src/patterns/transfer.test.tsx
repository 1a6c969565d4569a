import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { logInAs, MIA } from '../../tests/server'
import { Refused, sentenceOf, Unanswered, Unreachable } from '../api/failures'
import { currentSession, reload } from '../api/session'
import { nameIn, type Progress, receive, STANDSTILL_MS, saveAs, send } from './transfer'

/** jsdom's XMLHttpRequest and Node's fetch call a real server. */
let server: Server
let base: string
let answer: (call: { path: string; auth: string | undefined; body: Buffer }) => {
  status?: number
  type?: string
  headers?: Record<string, string>
  body?: string | Buffer
} | null

beforeEach(async () => {
  reload()
  logInAs()
  answer = () => ({ body: '{"ok":true}' })
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const open = {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Expose-Headers': '*',
      }
      if (request.method === 'OPTIONS') return response.writeHead(204, open).end()
      const reply = answer({
        path: request.url ?? '',
        auth: request.headers.authorization,
        body: Buffer.concat(chunks),
      })
      if (reply === null) return response.destroy()
      response.writeHead(reply.status ?? 200, {
        ...open,
        'Content-Type': reply.type ?? 'application/json',
        ...reply.headers,
      })
      return response.end(reply.body ?? '')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise(resolve => server.close(resolve)))

const form = (text = 'Hallo') => {
  const data = new FormData()
  data.append('note', new Blob([text], { type: 'text/plain' }), 'note.txt')
  return data
}
const problem = (status: number, code: string, message: string) => ({
  status,
  body: JSON.stringify({ code, message }),
})

describe('a file that is sent', () => {
  it('goes with the session’s token, and tells how much has gone', async () => {
    let heard = ''
    let body = ''
    answer = call => {
      heard = call.auth ?? ''
      body = call.body.toString()
      return { body: '{"path":"x"}' }
    }
    const progressed: Progress[] = []
    expect(await send(`${base}/note`, form(), { onProgress: progress => progressed.push(progress) })).toEqual(
      {
        path: 'x',
      },
    )
    expect(heard).toBe(`Bearer ${MIA.token}`)
    expect(body).toContain('Hallo')
    expect(progressed.at(-1)).toBe(1)
  })

  it('is too large for what stands in front of the service, which says so in no words of ours', async () => {
    answer = () => ({ status: 413, type: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' })
    const error = await send(`${base}/note`, form()).catch(cause => cause)
    expect(sentenceOf(error, 'Ging nicht.')).toContain('zu groß für diesen Server')
  })

  it('is refused in the service’s own words', async () => {
    answer = () => problem(413, 'too_large', 'Die Datei ist zu groß.')
    const error = await send(`${base}/note`, form()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refused)
    expect((error as Refused).message).toBe('Die Datei ist zu groß.')
    expect((error as Refused).status).toBe(413)
  })

  it('of which nobody knows whether it came says so', async () => {
    answer = () => null
    await expect(send(`${base}/note`, form())).rejects.toBeInstanceOf(Unanswered)
  })

  it('ends the session that the service does not know any more', async () => {
    answer = () => problem(401, 'unauthorized', 'Nein.')
    await expect(send(`${base}/note`, form())).rejects.toBeInstanceOf(Refused)
    expect(currentSession()).toBeNull()
  })

  it('can be stopped, before and on its way', async () => {
    const aborted = new AbortController()
    aborted.abort()
    await expect(send(`${base}/note`, form(), { signal: aborted.signal })).rejects.toBe(aborted.signal.reason)
    const way = new AbortController()
    answer = () => {
      way.abort()
      return { body: '{}' }
    }
    const stopped = await send(`${base}/note`, form(), { signal: way.signal }).catch(
      (reason: unknown) => reason,
    )
    expect(stopped).toBe(way.signal.reason)
    expect((stopped as Error).name).toBe('AbortError')
  })
})

describe('a file that is fetched', () => {
  it('comes whole, with its name, and tells how much has come', async () => {
    const text = 'x'.repeat(100_000)
    answer = call => ({
      type: 'text/csv',
      headers: {
        'Content-Disposition': `attachment; filename="times.csv"; filename*=UTF-8''Zeiten%20M%C3%A4rz.csv`,
        'Content-Length': String(text.length),
      },
      body: call.auth === `Bearer ${MIA.token}` ? text : '',
    })
    const progressed: Progress[] = []
    const { file, name } = await receive(`${base}/export`, {
      onProgress: progress => progressed.push(progress),
    })
    expect(name).toBe('Zeiten März.csv')
    expect(file.size).toBe(100_000)
    expect(progressed.at(-1)).toBe(1)
  })

  it('is refused in the service’s own words, and ends a session that is over', async () => {
    answer = () => problem(401, 'unauthorized', 'Nein.')
    await expect(receive(`${base}/export`)).rejects.toBeInstanceOf(Refused)
    expect(currentSession()).toBeNull()
  })

  it('that does not come says so', async () => {
    answer = () => null
    await expect(receive(`${base}/export`)).rejects.toBeInstanceOf(Unreachable)
  })

  it('can be stopped', async () => {
    const way = new AbortController()
    answer = () => {
      way.abort()
      return { body: '' }
    }
    const stopped = await receive(`${base}/export`, { signal: way.signal }).catch((reason: unknown) => reason)
    expect(stopped).toBe(way.signal.reason)
    expect((stopped as Error).name).toBe('AbortError')
  })

  it('is given up when nothing of it moves for half a minute, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('stopped')))
        }),
    )
    const failed = vi.fn()
    const coming = receive('/export').catch(failed)
    await vi.advanceTimersByTimeAsync(STANDSTILL_MS - 1)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    await coming
    expect(failed.mock.calls[0]?.[0]).toBeInstanceOf(Unreachable)
  })
})

describe('the name of a file', () => {
  it.each([
    [null, null],
    ['attachment', null],
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    [`attachment; filename="x"; filename*=UTF-8''%C3%BC.pdf`, 'ü.pdf'],
  ])('is what the service says: %s', (disposition, name) => expect(nameIn(disposition)).toBe(name))
})

describe('a file that is handed over', () => {
  it('is offered under its name, and forgotten later', () => {
    const createObjectURL = vi.fn(() => 'blob:1')
    const forgotten = vi.fn()
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: createObjectURL, revokeObjectURL: forgotten }))
    vi.useFakeTimers()
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      expect(this.download).toBe('codes.txt')
      expect(this.href).toBe('blob:1')
    })
    saveAs(new Blob(['x']), 'codes.txt')
    expect(clicked).toHaveBeenCalledTimes(1)
    expect(forgotten).not.toHaveBeenCalled()
    vi.advanceTimersByTime(60_000)
    expect(forgotten).toHaveBeenCalledWith('blob:1')
  })
})
