import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isKept } from './version'

const PART = 'http://localhost:3000/assets/LoginDialog-1a2b.js'
const ENTRY = 'http://localhost:3000/assets/index-3c4d.js'
const missingPartError = () => new TypeError(`Failed to fetch dynamically imported module: ${PART}`)
/** Safari's error has no more details. */
const unnamed = () => new TypeError('Importing a module script failed.')

let answers: Record<string, () => Response> = {}
const page = () =>
  new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
const script = () => new Response(null, { headers: { 'Content-Type': 'text/javascript' } })
const missing = () => new Response(null, { status: 404 })

beforeEach(() => {
  answers = { [PART]: script, [ENTRY]: script }
  vi.stubGlobal('fetch', async (address: string) => {
    const answer = answers[address]
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return answer()
  })
  const entry = document.createElement('script')
  entry.type = 'module'
  entry.src = ENTRY
  document.head.append(entry)
})
afterEach(() => {
  document.head.replaceChildren()
})

describe('a part that did not come', () => {
  it('may be there or not where the service is out of reach', async () => {
    answers = {}
    expect(await isKept(missingPartError())).toBeNull()
    expect(await isKept(unnamed())).toBeNull()
  })

  it('has not been replaced where the service has it', async () => {
    expect(await isKept(missingPartError())).toBe(true)
    expect(await isKept(unnamed())).toBe(true)
  })

  it('may be there or not where only a proxy answers', async () => {
    const proxy = () => new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } })
    answers = { [PART]: proxy, [ENTRY]: proxy }
    expect(await isKept(missingPartError())).toBeNull()
  })

  it.each([
    ['nothing', missing],
    ['a page', page],
  ])('has been replaced where %s is in its place', async (_, answer) => {
    answers[PART] = answer
    expect(await isKept(missingPartError())).toBe(false)
    expect(await isKept(new Error('Unable to preload CSS for /assets/Shop-5e6f.css'))).toBe(true)
  })

  it('has been replaced where what the page began with is gone, whatever the browser says', async () => {
    answers[ENTRY] = missing
    expect(await isKept(unnamed())).toBe(false)
  })
})
