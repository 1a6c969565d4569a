import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type CalendarEntry, MonthCalendar } from './MonthCalendar'

const entry = (id: string, day: string, more: Partial<CalendarEntry> = {}): CalendarEntry => ({
  id,
  day,
  label: id,
  tone: 'note',
  ...more,
})

function open(month: string, entries: CalendarEntry[] = [], onMonth = vi.fn()) {
  render(
    <MonthCalendar month={month} onMonth={onMonth} entries={entries} today="2026-11-20" caption="Dienste" />,
  )
  return onMonth
}

const rows = () => screen.getAllByRole('row').slice(1)
const days = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(cell => cell.querySelector('time')?.dateTime)

describe('a month', () => {
  it.each([
    ['2026-11', '2026-10-26', '2026-12-06', 6],
    ['2027-02', '2027-02-01', '2027-02-28', 4],
    ['2024-02', '2024-01-29', '2024-03-03', 5],
  ])('%s goes in weeks from Monday %s to Sunday %s', (month, first, last, weeks) => {
    open(month)
    expect(rows()).toHaveLength(weeks)
    expect(days(rows()[0] as HTMLElement)[0]).toBe(first)
    expect(days(rows().at(-1) as HTMLElement).at(-1)).toBe(last)
    expect(screen.getAllByRole('columnheader').map(head => head.textContent)).toEqual([
      'Mo',
      'Di',
      'Mi',
      'Do',
      'Fr',
      'Sa',
      'So',
    ])
  })

  it('leads to the one before, the one after, and today', async () => {
    const onMonth = open('2026-09')
    await userEvent.click(screen.getByRole('button', { name: 'Vorheriger Monat' }))
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await userEvent.click(screen.getByRole('button', { name: 'Heute' }))
    expect(onMonth.mock.calls.slice(0, 2).flat()).toEqual(['2026-08', '2026-10'])
    expect(onMonth).toHaveBeenCalledTimes(3)
  })
})

describe('a day', () => {
  it('shows three things, and the others behind a link', async () => {
    const press = vi.fn()
    open(
      '2026-11',
      ['a', 'b', 'c', 'd'].map(id => entry(id, '2026-11-11', { onPress: () => press(id) })),
    )
    expect(screen.queryByRole('button', { name: 'd' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '+1 weitere' }))
    await userEvent.click(screen.getByRole('button', { name: 'd' }))
    expect(press).toHaveBeenCalledWith('d')
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('button', { name: 'd' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: '+1 weitere' }))
  })

  it('has no button where nothing can be pressed', () => {
    open('2026-11', [entry('Dienst', '2026-11-12', { tone: 'open' })])
    expect(screen.getByText('Dienst')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Dienst/ })).toBeNull()
  })

  it('is told to be today', () => {
    open('2026-11')
    expect(document.querySelector('[aria-current=date] time')?.getAttribute('datetime')).toBe('2026-11-20')
  })
})
