import { act, fireEvent, screen, within } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { complaintAt } from '../../../tests/complaints'
import { renderPage } from '../../../tests/page'
import { Refused } from '../../api/failures'
import { type Action, DecideList } from './DecideList'
import { UNDO_MS } from './useDeciding'

interface Leave {
  id: string
  name: string
}

const NAMES = ['Mia', 'Finn', 'Öznur']
const LEAVES: readonly Leave[] = NAMES.map(name => ({ id: name.toLowerCase(), name }))

/** The sent decisions: action, item, sentence. */
let sent: string[]
let refuse: Refused | null

const doing = (what: string) => async (item: Leave, sentence: string) => {
  sent.push(`${what} ${item.name} ${sentence}`.trim())
  if (refuse !== null) throw refuse
}

const ACTIONS: readonly Action<Leave>[] = [
  { key: 'a', label: 'Genehmigen', act: doing('ja'), tone: 'primary' },
  { key: 'd', label: 'Ablehnen', act: doing('nein'), tone: 'danger', needsSentence: true },
]

const RETRY_ACTIONS = ACTIONS.slice(0, 1).map(action => ({
  ...action,
  again: { code: 'over_allowance', key: 't', label: 'Trotzdem genehmigen', act: doing('trotzdem') },
}))

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  refuse = null
})
afterEach(() => {})

const list = (items: readonly Leave[] = LEAVES) => (
  <DecideList
    label="Zu entscheiden"
    items={items}
    keyOf={({ id }) => id}
    nameOf={({ name }) => name}
    row={({ name }) => name}
    detail={({ name }) => <p>Urlaub von {name}</p>}
    actions={({ id }) => (id === 'öznur' ? ACTIONS.slice(0, 1) : id === 'viel' ? RETRY_ACTIONS : ACTIONS)}
    kindOf={({ name }) => (name.length > 4 ? 'Lange' : 'Kurze')}
    failed="Nicht gesendet."
    empty={<p>Alles erledigt.</p>}
  />
)

/** After a second the first is gone. */
function Leaving() {
  const [items, setItems] = useState(LEAVES)
  useEffect(() => {
    const timer = setTimeout(() => setItems(LEAVES.slice(1)), 1_000)
    return () => clearTimeout(timer)
  }, [])
  return list(items)
}

const show = (items?: readonly Leave[]) => renderPage(<main tabIndex={-1}>{list(items)}</main>)
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const waiting = () =>
  within(screen.getByRole('list', { name: 'Zu entscheiden' }))
    .getAllByRole('listitem')
    .map(item => item.textContent)
const currentTitle = () => screen.getByText(/^Urlaub von/).textContent
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('the list', () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `p-${index}`,
      name: index % 2 ? `Person ${index}` : `P${index}`,
    }))
  const lists = () => screen.getAllByRole('list').map(element => element.getAttribute('aria-label'))

  it('stands by its kinds where more than eight wait, and stays so while one decides', async () => {
    show(people(9))
    expect(lists()).toEqual(['Kurze', 'Lange'])
    expect(screen.getByRole('heading', { name: 'Kurze 5' })).not.toBeNull()
    press('j')
    expect(currentTitle()).toBe('Urlaub von P2')
    for (const _ of [1, 2, 3, 4]) press('j')
    expect(currentTitle()).toBe('Urlaub von Person 1')
    press('a')
    expect(lists()).toEqual(['Kurze', 'Lange'])
    expect(currentTitle()).toBe('Urlaub von Person 3')
  })

  it('is one where eight wait', () => {
    show(people(8))
    expect(lists()).toEqual(['Zu entscheiden'])
  })

  it('leaves the focus in the panel where what was looked at there goes by itself', async () => {
    renderPage(<Leaving />)
    act(() => vi.advanceTimersByTime(1_000))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Finn')
  })

  it('hears its keys where the page that it lies in has the focus, as after every way there', () => {
    show()
    act(() => screen.getByRole('main').focus())
    press('j')
    expect(currentTitle()).toBe('Urlaub von Finn')
    act(() => screen.getByRole('main').focus())
    press('Enter')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Finn')
  })
})

describe('what is decided', () => {
  it('is not sent before ten seconds are over, and the next one is there at once', async () => {
    show()
    press('a')
    expect(waiting()).toEqual(['Finn', 'Öznur'])
    expect(currentTitle()).toBe('Urlaub von Finn')
    expect(document.activeElement?.textContent).toBe('Finn')
    await wait(UNDO_MS - 1)
    expect(sent).toEqual([])
    await wait(1)
    expect(sent).toEqual(['ja Mia'])
  })

  it('can be taken back until then, the last first, each with its own ten seconds', async () => {
    show()
    press('a')
    await wait(UNDO_MS / 2)
    press('a')
    press('z')
    expect(waiting()).toEqual(['Finn', 'Öznur'])
    expect(currentTitle()).toBe('Urlaub von Finn')
    await wait(UNDO_MS / 2)
    expect(sent).toEqual(['ja Mia'])
    press('z')
    await wait(UNDO_MS)
    expect(sent).toEqual(['ja Mia'])
    expect(waiting()).toEqual(['Finn', 'Öznur'])
  })

  it('is taken back whole, at a press', async () => {
    show()
    press('a')
    click('Rückgängig')
    await wait(UNDO_MS)
    expect(sent).toEqual([])
    expect(waiting()).toEqual(NAMES)
    expect(currentTitle()).toBe('Urlaub von Mia')
  })

  it.each(['by going elsewhere', 'by closing it'])(
    'is sent at once where the page is left %s, and once',
    async how => {
      const { unmount } = show()
      press('a')
      press('a')
      await act(async () => {
        if (how === 'by closing it') window.dispatchEvent(new Event('pagehide'))
        unmount()
      })
      expect(sent).toEqual(['ja Mia', 'ja Finn'])
      await wait(2 * UNDO_MS)
      expect(sent).toHaveLength(2)
    },
  )

  it('needs its sentence where it says so, and has it along', async () => {
    show()
    press('d')
    const field = screen.getByLabelText('Begründung')
    expect(complaintAt(field)).toBe('Bitte begründe es mit einem Satz.')
    expect(document.activeElement).toBe(field)
    // Typing there must not trigger the list's keys.
    press('a')
    fireEvent.change(field, { target: { value: ' Da ist Inventur. ' } })
    click('Ablehnen')
    await wait(UNDO_MS)
    expect(sent).toEqual(['nein Mia Da ist Inventur.'])
  })

  it('comes back with who was faster, and when, and cannot be decided again', async () => {
    refuse = new Refused(409, {
      code: 'already_decided',
      message: 'Über diesen Antrag wurde bereits entschieden.',
      decidedBy: 'Ingrid Holm',
      decidedAt: '2026-11-20T06:12:00.000Z',
    })
    show(LEAVES.slice(0, 1))
    press('a')
    expect(screen.getByText('Alles erledigt.')).toBeTruthy()
    await wait(UNDO_MS)
    expect(screen.getByText('Inzwischen entschieden')).toBeTruthy()
    expect(screen.getByText('Ingrid Holm hat am 20.11.2026 um 07:12 Uhr darüber entschieden.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Genehmigen' })).toBeNull()
    press('a')
    await wait(UNDO_MS)
    expect(sent).toEqual(['ja Mia'])
  })

  it('that was refused once its list had been left says so when that is seen again', async () => {
    refuse = new Refused(409, { code: 'over_allowance', message: 'Übersteigt den Resturlaub.' })
    const { unmount } = show(LEAVES.slice(0, 1))
    press('a')
    unmount()
    await wait(0)
    expect(sent).toEqual(['ja Mia'])
    const rerendered = show(LEAVES.slice(0, 1))
    expect(screen.getByText('Übersteigt den Resturlaub.')).toBeTruthy()
    rerendered.unmount()
    show(LEAVES.slice(0, 1))
    expect(screen.queryByText('Übersteigt den Resturlaub.')).toBeNull()
  })

  it('comes back as a question where the service wants a second yes, and is done by that alone', async () => {
    refuse = new Refused(409, { code: 'over_allowance', message: 'Übersteigt den Resturlaub.' })
    const leaves = LEAVES.slice(0, 1).map(leave => ({ ...leave, id: 'viel' }))
    show(leaves)
    press('a')
    await wait(UNDO_MS)
    expect(screen.getByText('Übersteigt den Resturlaub.')).toBeTruthy()
    expect(screen.queryByText('Inzwischen entschieden')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Genehmigen' })).toBeNull()
    refuse = null
    press('a')
    press('t')
    await wait(UNDO_MS)
    expect(sent).toEqual(['ja Mia', 'trotzdem Mia'])
  })

  it.each(['overlap', null])('that is refused otherwise (%s) can be decided again', async code => {
    refuse = new Refused(409, { code, message: 'Die Zeit überschneidet sich.' })
    show(LEAVES.slice(0, 1))
    press('a')
    await wait(UNDO_MS)
    expect(screen.getByRole('button', { name: 'Genehmigen' })).toBeTruthy()
  })

  it('comes back where it was not taken, and can be decided again', async () => {
    refuse = new Refused(500, { message: 'Die Datenbank antwortet nicht.' })
    show(LEAVES.slice(0, 1))
    press('a')
    await wait(UNDO_MS)
    expect(screen.getByText('Die Datenbank antwortet nicht.')).toBeTruthy()
    refuse = null
    press('a')
    await wait(UNDO_MS)
    expect(sent).toEqual(['ja Mia', 'ja Mia'])
  })
})

describe('several', () => {
  it('are selected and decided together, by what each of them has', async () => {
    show()
    press('x')
    press('j')
    press('x')
    expect(screen.getByText('2 ausgewählt')).toBeTruthy()
    click('Genehmigen (2)')
    expect(waiting()).toEqual(['Öznur'])
    expect(currentTitle()).toBe('Urlaub von Öznur')
    await wait(UNDO_MS)
    expect(sent).toEqual(['ja Mia', 'ja Finn'])
  })

  it('have no action that one of them lacks', () => {
    show()
    for (const name of NAMES) fireEvent.click(screen.getByRole('checkbox', { name: `Auswählen: ${name}` }))
    expect(screen.getByRole('button', { name: 'Genehmigen (3)' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Ablehnen/ })).toBeNull()
  })
})

describe('the keys', () => {
  it('lead on and back and stop at the ends, Enter into what is to be decided, ? to all of them', () => {
    show()
    press('j')
    press('j')
    press('j')
    expect(currentTitle()).toBe('Urlaub von Öznur')
    press('k')
    expect(currentTitle()).toBe('Urlaub von Finn')
    fireEvent.click(document.activeElement as HTMLElement)
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Finn' }))
    press('?')
    const help = within(screen.getByRole('dialog', { name: 'Tasten' }))
    expect(help.getByText('Genehmigen')).toBeTruthy()
    expect(help.getByText('Nächster Eintrag')).toBeTruthy()
  })

  it.each(['ctrlKey', 'metaKey', 'altKey'])('are the browser’s with %s', async modifier => {
    show()
    fireEvent.keyDown(document.body, { key: 'a', [modifier]: true })
    await wait(UNDO_MS)
    expect(sent).toEqual([])
  })
})

it('says what there is when nothing waits', () => {
  show([])
  expect(screen.getByText('Alles erledigt.')).toBeTruthy()
})
