import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../tests/page'
import { succeed } from './succeed'

describe('a success', () => {
  it('is said as a status, and goes by itself', async () => {
    renderPage(<p>Seite</p>)
    succeed('Gespeichert.', 100)
    expect((await screen.findByRole('status')).textContent).toBe('Gespeichert.')
    await waitFor(() => expect(screen.queryByText('Gespeichert.')).toBeNull())
  })

  it('that was said before anybody listened is still said, once', async () => {
    succeed('Früh.', 100)
    const first = renderPage(<p>Seite</p>)
    await screen.findByText('Früh.')
    first.unmount()
    renderPage(<p>Seite</p>)
    expect(screen.queryByText('Früh.')).toBeNull()
  })

  it('can be said again in the same words', async () => {
    renderPage(<p>Seite</p>)
    succeed('Gut.', 60_000)
    await screen.findByText('Gut.')
    succeed('Gut.', 60_000)
    await waitFor(() => expect(screen.getAllByText('Gut.')).toHaveLength(2))
  })
})
