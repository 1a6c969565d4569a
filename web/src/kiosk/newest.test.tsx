import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ANSWER, IDLE } from '../../e2e/support/views'
import { useNewest } from './newest'
import type { View } from './view'

/** The agent's views, one after the other; whether the page has reloaded. */
function follow(...views: (View | null)[]): boolean[] {
  const reload = vi.fn()
  const { rerender } = renderHook(view => useNewest(view, reload), { initialProps: null as View | null })
  return views.map(view => {
    rerender(view)
    return reload.mock.calls.length > 0
  })
}

const OLD: View = { ...IDLE, version: '1.5.0' }
const NEW: View = { ...IDLE, version: '1.6.0' }

it('stays as it is while the agent is the same, however often it is started', () => {
  expect(follow(OLD, null, { ...OLD, connection: 'offline' }, OLD)).toEqual([false, false, false, false])
})

it('is loaded anew when another agent says its first word, a newer one or an older', () => {
  expect(follow(OLD, NEW)).toEqual([false, true])
  expect(follow(NEW, OLD)).toEqual([false, true])
  expect(follow(IDLE, NEW)).toEqual([false, true])
})

it.each<[string, Partial<View>]>([
  ['an answer', { screen: 'answer', answer: ANSWER }],
  ['a question', { screen: 'answer', answer: { ...ANSWER, question: 'direction', stampId: 's-1' } }],
  ['a choice for the next tap', { chosen: 'in', chosenUntil: '2026-11-20T06:58:10.000Z' }],
  ['a notice', { notice: 'too_late' }],
])('waits for the end of %s', (_, shown) => {
  expect(follow(OLD, { ...NEW, ...shown }, { ...NEW, ...shown }, NEW)).toEqual([false, false, false, true])
})

it('is no older agent’s once it is loaded: it does so once', () => {
  expect(follow(null, NEW, NEW)).toEqual([false, false, false])
})
