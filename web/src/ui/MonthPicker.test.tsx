import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../tests/eventually'
import { renderPage } from '../../tests/page'
import { MonthPicker } from './MonthPicker'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') }))

const opener = () => screen.getByRole('button', { name: /auswählen/ })

async function open(month = '2026-11') {
  const onChange = vi.fn<(month: string) => void>()
  const user = userEvent.setup()
  renderPage(<MonthPicker month={month} onChange={onChange} />)
  await user.click(opener())
  await screen.findByRole('group')
  return { user, onChange }
}

const focused = () => document.activeElement?.getAttribute('data-month')

describe('the month picker', () => {
  it('steps over the year’s end both ways', async () => {
    const onChange = vi.fn()
    renderPage(<MonthPicker month="2026-12" onChange={onChange} />)
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await userEvent.click(screen.getByRole('button', { name: 'Vorheriger Monat' }))
    await userEvent.click(screen.getByRole('button', { name: 'Aktueller Monat' }))
    expect(onChange.mock.calls).toEqual([['2027-01'], ['2026-11'], ['2026-11']])
  })

  it('offers no way to the current month when it is there', () => {
    renderPage(<MonthPicker month="2026-11" onChange={() => undefined} />)
    expect(screen.queryByRole('button', { name: 'Aktueller Monat' })).toBeNull()
  })

  it('works by keyboard alone', async () => {
    const { user, onChange } = await open()
    await eventually(() => expect(focused()).toBe('2026-11'))
    const steps: [string, string][] = [
      ['{ArrowLeft}', '2026-10'],
      ['{ArrowUp}', '2026-07'],
      ['{ArrowDown}', '2026-10'],
      ['{ArrowRight}', '2026-11'],
      ['{Home}', '2026-01'],
      ['{ArrowLeft}', '2025-12'],
      ['{PageUp}', '2024-12'],
      ['{PageDown}', '2025-12'],
      ['{End}', '2025-12'],
    ]
    for (const [key, month] of steps) {
      await user.keyboard(key)
      await eventually(() => expect(focused()).toBe(month))
    }
    await user.keyboard('{Enter}')
    expect(onChange.mock.calls).toEqual([['2025-12']])
    expect(screen.queryByRole('group')).toBeNull()
    expect(document.activeElement).toBe(opener())
  })

  it('marks the chosen month and the current one', async () => {
    await open('2026-09')
    expect(screen.getByRole('button', { name: 'September 2026' }).getAttribute('aria-pressed')).toBe('true')
    expect(screen.getByRole('button', { name: 'November 2026' }).getAttribute('aria-current')).toBe('date')
  })

  it('closes by Escape without choosing, and the focus is where it was', async () => {
    const { user, onChange } = await open()
    expect(opener().getAttribute('aria-expanded')).toBe('true')
    await user.keyboard('{Escape}')
    await eventually(() => expect(screen.queryByRole('group')).toBeNull())
    expect(onChange).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(opener())
  })
})
