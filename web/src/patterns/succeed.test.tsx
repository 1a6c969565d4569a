import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../tests/page'
import { succeed } from './succeed'
import { useAct } from './useAct'

function Refusing() {
  const acting = useAct(() => Promise.reject<boolean>(new Error()), 'Nicht gespeichert.')
  return (
    <>
      <p>{acting.failure?.title}</p>
      <button type="button" onClick={() => void acting.run(null)}>
        Speichern
      </button>
    </>
  )
}

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

  it('that is said again in the same words takes the place of the first', async () => {
    renderPage(<p>Seite</p>)
    succeed('Gut.', 60_000)
    const first = await screen.findByText('Gut.')
    succeed('Gut.', 60_000)
    await waitFor(() => expect(first.isConnected).toBe(false))
    expect(screen.getAllByText('Gut.')).toHaveLength(1)
  })

  it('stands no longer once the next act has failed, nor comes afterwards', async () => {
    renderPage(<Refusing />)
    for (const sentence of ['Eins.', 'Zwei.', 'Drei.']) succeed(sentence, 60_000)
    await screen.findByText('Drei.')
    await userEvent.click(screen.getByRole('button', { name: 'Speichern' }))
    await screen.findByText('Nicht gespeichert.')
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
    succeed('Gespeichert.', 60_000)
    expect((await screen.findByRole('status')).textContent).toBe('Gespeichert.')
  })
})
