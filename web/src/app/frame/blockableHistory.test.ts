import { UNSAFE_createMemoryHistory as createMemoryHistory } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import type { Hold } from '../../ui/leaving'
import { BlockableHistory } from './blockableHistory'

/** A history of three pages, on the last of them; `hold` applies from then on. */
function deep(hold: Hold | null = null) {
  let present: Hold | null = null
  const inside = createMemoryHistory({ initialEntries: ['/a', '/b', '/c'], v5Compat: true })
  const history = new BlockableHistory(inside, () => present)
  const moved = vi.fn()
  history.listen(moved)
  present = hold
  const release = () => {
    present = null
  }
  return { history, moved, release, where: () => history.location.pathname }
}

describe('a history', () => {
  it('goes where it is told while nothing holds it', () => {
    const { history, moved, where } = deep()
    history.push('/d')
    expect(where()).toBe('/d')
    history.go(-2)
    expect(where()).toBe('/b')
    history.replace('/e')
    expect(where()).toBe('/e')
    expect(moved).toHaveBeenCalledTimes(3)
    expect(history.waiting).toBeNull()
  })

  it.each([
    ['push', (history: BlockableHistory) => history.push('/d')],
    ['replace', (history: BlockableHistory) => history.replace('/d')],
    ['back', (history: BlockableHistory) => history.go(-1)],
    ['further back', (history: BlockableHistory) => history.go(-2)],
  ])('that a secret holds stays, and asks nothing: %s', (_, go) => {
    const { history, moved, where } = deep('stay')
    go(history)
    expect(where()).toBe('/c')
    expect(moved).not.toHaveBeenCalled()
    expect(history.waiting).toBeNull()
  })

  it.each([
    ['push', '/d', (history: BlockableHistory) => history.push('/d')],
    ['replace', '/d', (history: BlockableHistory) => history.replace('/d')],
    ['back', '/b', (history: BlockableHistory) => history.go(-1)],
    ['further back', '/a', (history: BlockableHistory) => history.go(-2)],
  ])('that a form holds asks, and goes on when it is left: %s', (_, target, go) => {
    const { history, moved, where } = deep('ask')
    const listener = vi.fn()
    history.subscribe(listener)
    go(history)
    expect(where()).toBe('/c')
    expect(listener).toHaveBeenCalledTimes(1)
    expect(history.waiting).not.toBeNull()
    history.leave()
    expect(where()).toBe(target)
    expect(moved).toHaveBeenCalledTimes(1)
    expect(history.waiting).toBeNull()
  })

  it('that is told to stay forgets where it was to go, and can be asked again', () => {
    const { history, where } = deep('ask')
    history.go(-1)
    history.stay()
    expect(history.waiting).toBeNull()
    history.leave()
    expect(where()).toBe('/c')
    history.go(-2)
    history.leave()
    expect(where()).toBe('/a')
  })

  it('goes freely again once nothing holds it any more', () => {
    const { history, release, where } = deep('ask')
    history.go(-1)
    release()
    history.stay()
    history.go(-1)
    expect(where()).toBe('/b')
  })

  it('tells nobody who has left', () => {
    const { history } = deep('ask')
    const listener = vi.fn()
    history.subscribe(listener)()
    history.push('/d')
    expect(listener).not.toHaveBeenCalled()
  })
})
