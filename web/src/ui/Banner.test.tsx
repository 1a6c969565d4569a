import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import { BANNER_MS, useBanner } from './Banner'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

function Page() {
  const [banner, say] = useBanner()
  return (
    <>
      <button type="button" onClick={() => say('Features aktualisiert!')}>
        Sagen
      </button>
      {banner}
    </>
  )
}

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const press = () => fireEvent.click(screen.getByRole('button'))

describe('the banner', () => {
  it('goes after 2.5 s, and the same words said again begin anew', () => {
    renderPage(<Page />)
    press()
    pass(BANNER_MS - 1)
    press()
    pass(BANNER_MS - 1)
    expect(screen.getByRole('status').textContent).toBe('Features aktualisiert!')
    pass(1)
    expect(screen.getByRole('status').textContent).toBe('')
    expect(BANNER_MS).toBe(2_500)
  })
})
