import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import { useFocusPassedOn } from './focus'
import { MonthPicker } from './MonthPicker'
import { ErrorState } from './states'

function Row({ name, onRemove }: { name: string; onRemove: () => void }) {
  const row = useFocusPassedOn<HTMLLIElement>()
  return (
    <li ref={row}>
      <button type="button" onClick={onRemove}>
        {name}
      </button>
    </li>
  )
}

function Rows() {
  const [rows, setRows] = useState(['Mia', 'Finn', 'Ada'])
  return (
    <StrictMode>
      <main id="content" tabIndex={-1}>
        <input aria-label="Suchen" />
        <ul>
          {rows.map(row => (
            <Row key={row} name={row} onRemove={() => setRows(rows.filter(each => each !== row))} />
          ))}
        </ul>
        <button type="button" onClick={() => setTimeout(() => setRows([]))}>
          Alle
        </button>
      </main>
    </StrictMode>
  )
}

function Picker() {
  const [month, setMonth] = useState('2026-10')
  return <MonthPicker month={month} onChange={setMonth} />
}

function List() {
  const [there, setThere] = useState(false)
  return (
    <section>
      {there ? <a href="/mia">Mia</a> : <ErrorState title="Fehler." onRetry={() => setThere(true)} />}
    </section>
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const focused = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element))

describe('the focus of what goes', () => {
  it('passes to the nearest that is left', async () => {
    renderPage(<Rows />)
    await userEvent.click(button('Finn'))
    await focused(button('Mia'))
    await userEvent.click(button('Mia'))
    await focused(button('Ada'))
    await userEvent.click(button('Ada'))
    await focused(screen.getByRole('main'))
  })

  it('stays where it is when something else goes', async () => {
    renderPage(<Rows />)
    await userEvent.click(button('Alle'))
    await waitFor(() => expect(screen.queryByText('Ada')).toBeNull())
    await new Promise(resolve => setTimeout(resolve))
    expect(document.activeElement).toBe(button('Alle'))
  })
})

describe('the way to the current month', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') }))

  it('passes the focus on when it is taken and goes', async () => {
    renderPage(<Picker />)
    await userEvent.click(button('Aktueller Monat'))
    await focused(button('Vorheriger Monat'))
  })
})

describe('"Erneut versuchen"', () => {
  it('passes the focus on to what comes in its place', async () => {
    renderPage(<List />)
    await userEvent.click(button('Erneut versuchen'))
    await focused(screen.getByRole('link', { name: 'Mia' }))
  })
})
