import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { IDLE } from '../../e2e/support/views'
import { FakeEventSource } from '../../tests/server'
import { choose, PATIENCE_MS, SIGN_MS, SILENCE_MS, useAgent } from './agent'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T06:58:00.000Z') })
  FakeEventSource.opened = []
  vi.stubGlobal('EventSource', FakeEventSource)
})

function listen() {
  const { result, unmount } = renderHook(useAgent)
  return { heard: () => result.current, source: FakeEventSource.opened[0] as FakeEventSource, unmount }
}

describe('the agent’s stream', () => {
  it('brings the view, and how far the agent’s time is ahead', () => {
    const { heard, source } = listen()
    act(() => source.say({ ...IDLE, now: '2026-11-20T06:58:01.500Z' }))
    expect(heard()).toMatchObject({ ahead: 1_500, lost: false, view: { clockName: 'Werkstatt' } })
    act(() => source.say(IDLE))
    expect(heard().ahead).toBe(0)
  })

  it('that is lost for a moment is not worth a word; for longer it is', () => {
    const { heard, source } = listen()
    act(() => source.say(IDLE))
    act(() => source.onerror?.())
    act(() => vi.advanceTimersByTime(PATIENCE_MS - 1))
    expect(heard().lost).toBe(false)
    act(() => source.onerror?.())
    act(() => vi.advanceTimersByTime(1))
    expect(heard().lost).toBe(true)
    act(() => source.say(IDLE))
    expect(heard().lost).toBe(false)
    act(() => vi.advanceTimersByTime(10 * PATIENCE_MS))
    expect(heard().lost).toBe(false)
  })

  it('that never begins is said too', () => {
    const { heard } = listen()
    act(() => vi.advanceTimersByTime(PATIENCE_MS))
    expect(heard()).toMatchObject({ view: null, lost: true })
  })

  it('that stays lost is silence, and the first word ends it', () => {
    const { heard, source } = listen()
    act(() => source.say(IDLE))
    act(() => source.onerror?.())
    act(() => vi.advanceTimersByTime(SILENCE_MS - 1))
    expect(heard()).toMatchObject({ lost: true, silent: false })
    act(() => source.onerror?.())
    act(() => vi.advanceTimersByTime(1))
    expect(heard()).toMatchObject({ lost: true, silent: true })
    act(() => source.say(IDLE))
    expect(heard()).toMatchObject({ lost: false, silent: false })
    act(() => vi.advanceTimersByTime(10 * SILENCE_MS))
    expect(heard().silent).toBe(false)
  })

  it('says by which clock a press is told: its moment counts, however late the view came', async () => {
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)))
      return new Response(null, { status: 204 })
    })
    const { source } = listen()
    act(() => source.say({ ...IDLE, moment: 70_000 }))
    act(() => vi.advanceTimersByTime(2_000))
    await choose('in', 'a-7')
    act(() => source.say(IDLE)) // an agent before an update
    await choose('out', undefined)
    expect(bodies).toEqual([{ direction: 'in', after: 'a-7', at: 72_000 }, { direction: 'out' }])
  })

  it('has the page show signs of life under the name that it was given, while the stream is open', () => {
    const signs: unknown[] = []
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      signs.push([path, JSON.parse(String(init.body))])
      return new Response(null, { status: 204 })
    })
    window.history.replaceState(null, '', '/?page=7f')
    const { source, unmount } = listen()
    act(() => vi.advanceTimersByTime(2 * SIGN_MS))
    const sign = ['/alive', { page: '7f' }]
    expect(signs).toEqual([sign, sign])
    source.readyState = 2 // closed: the browser does not connect it again
    act(() => vi.advanceTimersByTime(2 * SIGN_MS))
    source.readyState = FakeEventSource.OPEN
    unmount()
    act(() => vi.advanceTimersByTime(2 * SIGN_MS))
    window.history.replaceState(null, '', '/')
    listen()
    act(() => vi.advanceTimersByTime(2 * SIGN_MS))
    expect(signs).toHaveLength(2)
  })

  it('is closed with the page', () => {
    const { source, unmount } = listen()
    unmount()
    expect(source.closed).toBe(true)
  })
})
