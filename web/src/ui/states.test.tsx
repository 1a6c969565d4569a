import { act, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import { Loading } from './states'

beforeEach(() => vi.useFakeTimers())

describe('a skeleton', () => {
  it('appears after 150 ms and not before, so that quick answers do not flicker', () => {
    renderPage(<Loading>…</Loading>)
    act(() => vi.advanceTimersByTime(149))
    expect(screen.queryByRole('status')).toBeNull()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.getByRole('status').textContent).toContain('Wird geladen')
  })
})
