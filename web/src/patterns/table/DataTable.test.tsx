import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage, wide } from '../../../tests/page'
import { type Column, DataTable } from './DataTable'

interface Person {
  id: string
  name: string
  age: number
  town: string | null
}

const pressed = vi.fn()

const COLUMNS: Column<Person>[] = [
  { key: 'name', head: 'Name', names: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
  { key: 'age', head: 'Alter', align: 'end', sortBy: ({ age }) => age, cell: ({ age }) => age },
  { key: 'town', head: 'Ort', cell: ({ town }) => town },
  {
    key: 'acts',
    head: 'Aktionen',
    acts: true,
    cell: person => (
      <>
        <button type="button" onClick={() => pressed('eins', person.id)}>{`Eins ${person.name}`}</button>
        <button type="button" onClick={() => pressed('zwei', person.id)}>{`Zwei ${person.name}`}</button>
      </>
    ),
  },
]

const person = (name: string, age: number, town: string | null = 'Husum'): Person => ({
  id: name,
  name,
  age,
  town,
})
const FEW = [
  person('Zoe', 9),
  person('Ämilie', 10, null),
  person('Bela', 100),
  person('Nr. 10', 7),
  person('Nr. 9', 8),
]
const MANY = Array.from({ length: 500 }, (_, index) => person(`Person ${index}`, index))

const show = (rows: readonly Person[], sortedBy?: string) =>
  renderPage(
    <DataTable caption="Leute" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} sortedBy={sortedBy} />,
  )
const names = () => screen.getAllByRole('rowheader').map(cell => cell.textContent)

/** jsdom lays nothing out: every row is as high as it is thought to be. */
const ROW_PX = 64

beforeEach(() => {
  pressed.mockClear()
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX)
})

describe('the table of a wide window', () => {
  beforeEach(() => {
    wide()
  })

  it('has its caption, a head for each column, and a row’s own head', () => {
    show(FEW)
    const table = screen.getByRole('table', { name: 'Leute' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(cell => cell.textContent),
    ).toEqual(['Name', 'Alter', 'Ort', 'Aktionen'])
    expect(names()).toEqual(['Zoe', 'Ämilie', 'Bela', 'Nr. 10', 'Nr. 9'])
  })

  it('is sorted as German is, numbers by their size, up and down and back', async () => {
    show(FEW, 'name')
    expect(names()).toEqual(['Ämilie', 'Bela', 'Nr. 9', 'Nr. 10', 'Zoe'])
    const head = () => screen.getByRole('columnheader', { name: 'Alter' })
    expect(head().getAttribute('aria-sort')).toBeNull()
    await userEvent.click(within(head()).getByRole('button'))
    expect(names()).toEqual(['Nr. 10', 'Nr. 9', 'Zoe', 'Ämilie', 'Bela'])
    expect(head().getAttribute('aria-sort')).toBe('ascending')
    await userEvent.click(within(head()).getByRole('button'))
    expect(names()).toEqual(['Bela', 'Ämilie', 'Zoe', 'Nr. 9', 'Nr. 10'])
    expect(head().getAttribute('aria-sort')).toBe('descending')
    await userEvent.click(within(head()).getByRole('button'))
    expect(names()).toEqual(['Zoe', 'Ämilie', 'Bela', 'Nr. 10', 'Nr. 9'])
  })

  it('cannot be sorted by what has no order', () => {
    show(FEW)
    expect(within(screen.getByRole('columnheader', { name: 'Ort' })).queryByRole('button')).toBeNull()
  })

  it('leads by Up and Down to the same thing in the next row', async () => {
    show(FEW)
    screen.getByRole('button', { name: 'Zwei Zoe' }).focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Zwei Bela')
    await userEvent.keyboard('{ArrowUp}{Enter}')
    expect(pressed).toHaveBeenCalledWith('zwei', 'Ämilie')
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    expect(document.activeElement?.textContent).toBe('Zwei Zoe')
  })

  it('has of a long list only what is near, and says how long it is', () => {
    show(MANY)
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('501')
    expect(names().length).toBeLessThan(100)
    expect(names()[0]).toBe('Person 0')
    expect(screen.getAllByRole('row')[1]?.getAttribute('aria-rowindex')).toBe('2')
  })

  it('has all of it on paper', () => {
    show(MANY)
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    expect(names()).toHaveLength(500)
    act(() => void window.dispatchEvent(new Event('afterprint')))
    expect(names().length).toBeLessThan(100)
  })
})

describe('the table of a narrow window', () => {
  it('is a list of cards with the columns’ heads, without what is not there', () => {
    show(FEW)
    expect(screen.queryByRole('table')).toBeNull()
    const cards = within(screen.getByRole('list', { name: 'Leute' })).getAllByRole('listitem')
    expect(cards).toHaveLength(5)
    expect(cards[0]?.textContent).toBe('ZoeAlter9OrtHusumEins ZoeZwei Zoe')
    expect(cards[1]?.textContent).toBe('ÄmilieAlter10Eins ÄmilieZwei Ämilie')
  })

  it('is sorted as at first', () => {
    show(FEW, 'age')
    expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('Nr. 10')
  })

  it('has of a long list only what is near', () => {
    show(MANY)
    expect(screen.getAllByRole('listitem').length).toBeLessThan(100)
  })
})
