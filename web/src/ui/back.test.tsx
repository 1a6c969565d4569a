import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import { listenToBack } from './back'
import { Dialog } from './Dialog'

const told = vi.fn()
const router = vi.fn()

beforeEach(() => {
  history.pushState(null, '', '/before')
  history.pushState({ idx: 1 }, '', '/here')
  window.addEventListener('popstate', told, true)
  listenToBack()
  window.addEventListener('popstate', router)
})
afterEach(() => {
  window.removeEventListener('popstate', told, true)
  window.removeEventListener('popstate', router)
  vi.clearAllMocks()
})

const dialog = (stays: boolean) =>
  renderPage(
    <Dialog title="Neues Passwort" stays={stays} onClose={() => undefined}>
      nebel-kran
    </Dialog>,
  )

/** Goes back, and waits until the browser has told so: the first to hear of it. */
async function back() {
  const before = told.mock.calls.length
  history.back()
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(before + 1))
}

describe('the browser’s Back', () => {
  it('does not lead away from a dialog that stays, and the router never hears of it', async () => {
    const { unmount } = dialog(true)
    for (const _ of [1, 2]) {
      await back()
      expect(window.location.pathname).toBe('/here')
      expect(history.state).toEqual({ idx: 1 })
    }
    expect(router).not.toHaveBeenCalled()
    expect(screen.getByText('nebel-kran')).toBeTruthy()
    unmount()
    await back()
    expect(window.location.pathname).toBe('/before')
    expect(router).toHaveBeenCalledOnce()
  })

  it('leads away from any other', async () => {
    dialog(false)
    await back()
    expect(window.location.pathname).toBe('/before')
    expect(router).toHaveBeenCalledOnce()
  })
})
