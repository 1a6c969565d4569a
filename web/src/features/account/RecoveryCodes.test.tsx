import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../tests/page'
import { RecoveryCodes } from './RecoveryCodes'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the codes as a file', () => {
  it('are there for a minute: a browser may take them late', () => {
    const revoke = vi.fn()
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:codes', revokeObjectURL: revoke }))
    renderPage(<RecoveryCodes codes={['abcd-0001']} username="Mia" onDone={() => undefined} />)
    fireEvent.click(screen.getByRole('button', { name: 'Herunterladen' }))
    act(() => vi.advanceTimersByTime(59_999))
    expect(revoke).not.toHaveBeenCalled()
    act(() => vi.advanceTimersByTime(1))
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:codes')
  })
})
