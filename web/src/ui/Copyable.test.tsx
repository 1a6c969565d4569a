import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import { Copyable } from './Copyable'

afterEach(() => vi.unstubAllGlobals())

describe('a value to copy', () => {
  it('that the browser does not copy stays readable, and that is said', async () => {
    const user = userEvent.setup({ writeToClipboard: false })
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    renderPage(<Copyable text="abc" label="Lock-Token von Mia" />)
    await user.click(screen.getByRole('button', { name: 'Kopieren: Lock-Token von Mia' }))
    expect(await screen.findByText('Kopieren nicht möglich.')).toBeTruthy()
    expect(screen.getByText('abc')).toBeTruthy()
  })

  it('is on the clipboard afterwards', async () => {
    const user = userEvent.setup()
    renderPage(<Copyable text="abc" label="Lock-Token von Mia" />)
    await user.click(screen.getByRole('button', { name: 'Kopieren: Lock-Token von Mia' }))
    expect((await screen.findByRole('status')).textContent).toBe('Kopiert.')
    expect(await navigator.clipboard.readText()).toBe('abc')
    expect(screen.getByRole('button', { name: 'Kopiert: Lock-Token von Mia' })).toBeTruthy()
  })

  it('is shown in groups of four where somebody types it, and copied as one word', async () => {
    const user = userEvent.setup()
    renderPage(<Copyable text="JBSWY3DPEH" label="Schlüssel" grouped />)
    expect([...document.querySelectorAll('code span')].map(group => group.textContent)).toEqual([
      'JBSW',
      'Y3DP',
      'EH',
    ])
    await user.click(screen.getByRole('button', { name: 'Kopieren: Schlüssel' }))
    expect(await navigator.clipboard.readText()).toBe('JBSWY3DPEH')
  })
})
