import { beforeEach, describe, expect, it, vi } from 'vitest'
import { begin, complete, currentSession, end, followOtherTabs, reload, subscribe } from './session'

const PARTS = { token: 't', role: 'user', username: 'Mia', companyId: 'c', userId: 'u' }

beforeEach(() => reload())

function storeAll(parts: Record<string, string>) {
  for (const [name, value] of Object.entries(parts)) localStorage.setItem(name, value)
}

describe('a session is restored', () => {
  it('when all five parts are there', () => {
    storeAll(PARTS)
    reload()
    expect(currentSession()).toEqual(PARTS)
  })

  it.each(Object.keys(PARTS))('not without %s', missing => {
    storeAll(PARTS)
    localStorage.removeItem(missing)
    reload()
    expect(currentSession()).toBeNull()
  })

  it.each(Object.keys(PARTS))('not with an empty %s', empty => {
    storeAll({ ...PARTS, [empty]: '' })
    reload()
    expect(currentSession()).toBeNull()
  })

  it('with nothing but its five parts', () => {
    expect(complete({ ...PARTS, success: true, message: 'x' })).toEqual(PARTS)
    expect(complete({ ...PARTS, userId: 7 })).toBeNull()
  })
})

describe('a session begins and ends', () => {
  it('survives a reload until it ends', () => {
    begin(PARTS)
    reload()
    expect(currentSession()).toEqual(PARTS)
    end('logout')
    expect(currentSession()).toBeNull()
    reload()
    expect(currentSession()).toBeNull()
    expect(Object.keys(PARTS).map(name => localStorage.getItem(name))).toEqual([null, null, null, null, null])
  })

  it('leaves other keys alone', () => {
    localStorage.setItem('other', '1')
    begin(PARTS)
    end('expired')
    expect(localStorage.getItem('other')).toBe('1')
  })

  it('lives on in memory when nothing can be stored', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    begin(PARTS)
    expect(currentSession()).toEqual(PARTS)
  })

  it('tells who listens, once a change', () => {
    const heard = vi.fn()
    const stop = subscribe(heard)
    begin(PARTS)
    end('logout')
    end('logout')
    stop()
    begin(PARTS)
    expect(heard).toHaveBeenCalledTimes(2)
  })
})

describe('another tab', () => {
  const tell = () =>
    window.dispatchEvent(new StorageEvent('storage', { storageArea: localStorage, key: 'token' }))

  it('that logs out takes this one along, and one that logs in too', () => {
    const stop = followOtherTabs()
    begin(PARTS)
    localStorage.removeItem('token')
    tell()
    expect(currentSession()).toBeNull()
    storeAll({ ...PARTS, token: 't2' })
    tell()
    expect(currentSession()?.token).toBe('t2')
    stop()
  })

  it('that is half-way through writing changes nothing yet', () => {
    const stop = followOtherTabs()
    localStorage.setItem('token', 't')
    tell()
    expect(currentSession()).toBeNull()
    stop()
  })
})
