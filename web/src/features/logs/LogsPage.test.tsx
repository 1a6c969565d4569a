import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { held, logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { holdTimers } from '../../../tests/timers'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { LogsPage } from './LogsPage'
import { LINES } from './samples'
import { type LogLine, withLine } from './useLogs'

serve()

let events: Events
let searches: string[] = []
beforeEach(() => {
  reload()
  reportReached()
  events = layEvents()
  searches = []
  wide()
  logInAs({ ...MIA, role: 'companyAdmin' })
})

const PATH = url('/api/companies/c-1/device-logs')
const matching = (query: URLSearchParams) =>
  LINES.filter(({ level }) => query.get('level') === 'all' || query.get('level') === level)

const lay = (
  answer: (query: URLSearchParams) => Response | Promise<Response> | readonly LogLine[] = matching,
) =>
  server.use(
    http.get(PATH, async ({ request }) => {
      const { searchParams } = new URL(request.url)
      searches.push(`${searchParams}`)
      const answered = await answer(searchParams)
      return answered instanceof Response ? answered : HttpResponse.json([...answered])
    }),
  )

const open = () => {
  renderPage(<LogsPage companyId="c-1" />)
  return userEvent.setup()
}
const rows = () => screen.getAllByRole('rowheader').map(row => row.textContent)
const [first, ...rest] = LINES as [LogLine, ...LogLine[]]
const FRESH: LogLine = { ...first, id: 'l-9', code: 'journal_full', level: 'error', message: 'no space' }
const say = async (event: unknown) => {
  await eventually(() => expect(events.open).toHaveLength(1))
  act(() => events.open[0]?.say(event))
}

describe('the log of clocks', () => {
  it('that is refused says so for 2.5 s, and then still has the way to ask again', async () => {
    const pending = holdTimers(2_500)
    lay(() => refusal(403, 'Dieses Modul ist nicht freigeschaltet.'))
    renderPage(<LogsPage companyId="c-1" />)
    expect((await screen.findByRole('alert')).textContent).toContain('Logs konnten nicht geladen werden.')
    expect(screen.getByRole('alert').textContent).toContain('Dieses Modul ist nicht freigeschaltet.')
    act(() => pending.at(-1)?.())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('button', { name: 'Erneut versuchen' })).toBeTruthy()
  })

  it('says that there is nothing, and no errors', async () => {
    lay(() => [])
    const user = open()
    expect(await screen.findByText('Keine Einträge.')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Fehler (0)' }))
    expect(await screen.findByText('Keine Fehler vorhanden.')).toBeTruthy()
  })

  it('says of each line what happened, which clock, and what to do', async () => {
    lay()
    const user = open()
    const row = (await screen.findByText('Die Stempeluhr hat Stempel endgültig verloren.')).closest('tr')
    expect(row?.textContent).toContain('20.11.2026, 07:13:03')
    expect(row?.textContent).toContain('SW-0417')
    expect(row?.textContent).toContain('stamps_lost')
    expect(row?.textContent).toContain('Fehler')
    expect(screen.getByText('#0192f7c4')).toBeTruthy()
    await user.click(within(row as HTMLElement).getByRole('button', { name: /^Einzelheiten/ }))
    expect(screen.getByText(/Frag, wer in dieser Zeit gestempelt hat/)).toBeTruthy()
    expect(screen.getByText(/"epoch": "6f1c2a"/).textContent).toContain('\n')
  })

  it('keeps what the clock wrote itself behind the line’s details', async () => {
    lay()
    const user = open()
    const row = (await screen.findByText('Der Leser für die Chips ist nicht da.')).closest('tr')
    expect(screen.queryByText('the reader is absent')).toBeNull()
    await user.click(within(row as HTMLElement).getByRole('button', { name: /^Einzelheiten/ }))
    expect(screen.getByText('Technische Einzelheiten').nextElementSibling?.textContent).toBe(
      'the reader is absent',
    )
  })

  it('has a sentence for a code that nobody knows, as for a word of every object', async () => {
    lay(() => [{ ...first, code: 'constructor' }])
    open()
    expect(await screen.findByText('Diese Meldung kennt diese Version noch nicht.')).toBeTruthy()
  })

  it('is asked by level, number and words, these by Enter, and anew by Enter again', async () => {
    lay()
    const user = open()
    await screen.findAllByRole('rowheader')
    expect(searches[0]).toBe('level=all&limit=200&q=')
    await pick('Stufe', 'Warnung')
    await pick('Höchstens', '500')
    await user.type(screen.getByLabelText('Suchen'), ' SW-09')
    expect(searches.some(query => query.includes('q=SW'))).toBe(false)
    await user.keyboard('{Enter}')
    await eventually(() => expect(searches).toContain('level=warn&limit=500&q=SW-09'))
    const countBefore = searches.length
    await user.keyboard('{Enter}')
    await eventually(() => expect(searches.slice(countBefore)).toContain('level=warn&limit=500&q=SW-09'))
  })

  it('lists errors alone in a dialog, whatever the page is narrowed down to', async () => {
    lay()
    const user = open()
    await screen.findAllByRole('rowheader')
    await pick('Stufe', 'Info')
    await user.click(await screen.findByRole('button', { name: 'Fehler (1)' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Nur Fehler' }))
    expect(dialog.getAllByRole('listitem')).toHaveLength(1)
    expect(dialog.getByText('stamps_lost')).toBeTruthy()
  })

  it('has new lines on top as they come, none twice, and counts them', async () => {
    lay()
    open()
    await screen.findAllByRole('rowheader')
    await say({ type: 'log', log: FRESH })
    await say({ type: 'log', log: FRESH })
    await eventually(() => expect(rows()[0]).toContain('Der Speicher der Uhr ist voll.'))
    expect(rows()).toHaveLength(LINES.length + 1)
    expect(screen.getByRole('button', { name: 'Fehler (2)' })).toBeTruthy()
  })

  it('is asked anew where the service only says that there are new ones', async () => {
    lay()
    open()
    await screen.findAllByRole('rowheader')
    const countBefore = searches.length
    await say({ type: 'log' })
    await eventually(() => expect(searches.length).toBeGreaterThanOrEqual(countBefore + 2))
  })

  it('loses no line that comes while it is asked for', async () => {
    const late = held(() => HttpResponse.json(rest))
    let waiting = true
    lay(query => (query.get('level') === 'all' && waiting ? late.answer() : LINES))
    open()
    await late.asked
    waiting = false
    await say({ type: 'log', log: first })
    late.release()
    await eventually(() => expect(rows()).toHaveLength(LINES.length))
  })
})

describe('a new line', () => {
  const filter = { level: 'all', limit: 3, q: '' } as const

  it('pushes the last one out', () => {
    expect(withLine(LINES.slice(0, 3), FRESH, filter).map(({ id }) => id)).toEqual(['l-9', 'l-0', 'l-1'])
  })

  it('stays away where it does not match', () => {
    expect(withLine([], FRESH, { ...filter, level: 'info' })).toEqual([])
    expect(withLine([], FRESH, { ...filter, q: 'online' })).toEqual([])
    expect(withLine([], FRESH, { ...filter, q: ' JOURNAL ' })).toEqual([FRESH])
  })
})
