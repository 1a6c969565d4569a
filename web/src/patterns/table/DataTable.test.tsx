import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage, wide } from '../../../tests/page'
import { csvOf } from './csv'
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

/** jsdom has no layout: every row has its estimated height. */
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

describe('more of a table', () => {
  const renderTable = (props: Partial<ComponentProps<typeof DataTable<Person>>>) =>
    renderPage(
      <DataTable
        caption="Leute"
        rows={FEW}
        columns={[
          ...COLUMNS.slice(0, 1),
          {
            key: 'age',
            head: 'Alter',
            align: 'end',
            sortBy: ({ age }) => age,
            cell: ({ age }) => age,
            sum: rows => rows.reduce((sum, { age }) => sum + age, 0),
          },
        ]}
        keyOf={({ id }) => id}
        {...props}
      />,
    )
  const lines = () => screen.getAllByRole('row').map(row => row.textContent)
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

  beforeEach(() => {
    wide()
  })

  it('has groups in the order of their first rows, sorted within, with sums of each and of all', async () => {
    renderTable({ groupOf: ({ age }) => (age > 9 ? 'Alt' : 'Jung') })
    await press('Name')
    expect(lines()).toEqual([
      'NameAlter',
      'Jung24',
      'Nr. 98',
      'Nr. 107',
      'Zoe9',
      'Alt110',
      'Ämilie10',
      'Bela100',
      'Summe134',
    ])
  })

  it('does one thing to many, never to what may not or is not seen', async () => {
    const act = vi.fn()
    renderTable({
      many: { label: count => `${count} sperren`, act, can: ({ age }) => age < 100 },
      search: { label: 'Suchen', matches: ({ name }, words) => name.includes(words), nothing: 'Niemand.' },
    })
    const tick = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
    expect(tick('Auswählen: Bela').disabled).toBe(true)
    await userEvent.click(tick('Alle auswählen'))
    expect(screen.getByRole('button', { name: '4 sperren' })).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Suchen'), 'Nr.')
    await press('2 sperren')
    expect(act.mock.calls[0]?.[0].map(({ name }: Person) => name)).toEqual(['Nr. 10', 'Nr. 9'])
    expect(screen.queryByRole('button', { name: /sperren/ })).toBeNull()
    await userEvent.type(screen.getByLabelText('Suchen'), 'Nr. 77')
    expect(screen.getByText('Niemand.')).toBeTruthy()
  })

  it('unfolds what there is to say of a row', async () => {
    renderTable({ details: ({ name }) => <p>Alles über {name}</p> })
    await press('Einzelheiten: Bela')
    expect(screen.getByText('Alles über Bela')).toBeTruthy()
    await press('Einzelheiten: Bela')
    expect(screen.queryByText('Alles über Bela')).toBeNull()
  })

  it('says what there is instead of rows', () => {
    renderTable({ rows: [], empty: <p>Noch niemand.</p> })
    expect(screen.getByText('Noch niemand.')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('has all of it as cards, sums and what is selected too', async () => {
    vi.restoreAllMocks()
    const act = vi.fn()
    renderTable({ many: { label: count => `${count} sperren`, act }, groupOf: () => 'Alle' })
    expect(screen.queryByRole('table')).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Auswählen: Zoe' }))
    await press('1 sperren')
    expect(act).toHaveBeenCalledWith([FEW[0]])
    expect(screen.getByRole('region', { name: 'Summe: Leute' }).textContent).toBe('SummeAlter134')
  })
})

describe('a csv', () => {
  it.each([
    [1.5, '1,5'],
    ['Müller; Söhne', '"Müller; Söhne"'],
    ['Er sagt "ja"', '"Er sagt ""ja"""'],
    ['Holm, Ingrid', '"Holm, Ingrid"'],
    ['=1+1', "'=1+1"],
    ['Müller,=1+1', `"Müller,'=1+1"`],
    ['Müller; "@SUM(A1)"', `"Müller;' ""@SUM(A1)"""`],
    ['Müller\t-1', `"Müller\t'-1"`],
    ['\n=1', `"'\n'=1"`],
    ['a,\t=1', `"a,'\t'=1"`],
    [' =1', "' =1"],
    ['-1', "'-1"],
    [-1, '-1'],
    [null, ''],
  ])('says %j as %s', (value, written) => {
    expect(csvOf(['Kopf'], [[value]])).toBe(`\uFEFFKopf\r\n${written}\r\n`)
  })
})
