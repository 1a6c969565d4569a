import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { holdTimers } from '../../../tests/timers'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { DataPage } from './DataPage'
import { csvOf, has, jsonOf } from './files'
import { dump } from './samples'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
const COMPANY = '/api/companies/c-1'
const KNOWN_TABLES = ['users', 'clocks', 'absences', 'time-corrections', 'export-settings']
let searches: string[] = []

beforeEach(() => {
  reload()
  logInAs(BOSS)
  reportReached()
  wide()
  searches = []
})

function lay(answer: () => Response, known: Record<string, object> = {}) {
  server.use(
    http.get(url(`${COMPANY}/archives`), () => HttpResponse.json([])),
    http.get(url(`${COMPANY}/data-dump`), ({ request }) => {
      searches.push(new URL(request.url).search)
      return answer()
    }),
    ...KNOWN_TABLES.map(path =>
      http.get(url(`${COMPANY}/${path}`), ({ request }) => {
        searches.push(`${path}${new URL(request.url).search}`)
        const body = known[path]
        return body === undefined ? refusal(404, 'Nicht gefunden.') : HttpResponse.json(body)
      }),
    ),
  )
}

const open = (at = '/') => renderPage(<DataPage session={BOSS} />, at)
const all = () => HttpResponse.json(dump)
const no = () => refusal(404, 'Nicht gefunden.')

describe('the stored data', () => {
  it('that cannot be had at all say so for 2.5 s, and then still have the way to ask again', async () => {
    const pending = holdTimers(2_500)
    lay(no)
    open()
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Firmendaten konnten nicht geladen werden.',
    )
    act(() => pending.at(-1)?.())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('button', { name: 'Erneut versuchen' })).toBeTruthy()
  })

  it('that cannot be had anew say so for 2.5 s, and what is there stays', async () => {
    const pending = holdTimers(2_500)
    lay(all)
    open()
    await screen.findByRole('button', { name: 'Personen 2' })
    lay(() => refusal(500, 'Gerade nicht.'))
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Firmendaten konnten nicht geladen werden.Gerade nicht.',
    )
    expect(screen.getByRole('button', { name: 'Personen 2' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Erneut versuchen' })).toBeNull()
    act(() => pending.at(-1)?.())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('fall back to the tables that are known from elsewhere, those that come', async () => {
    lay(no, { users: [{ id: 'u-1', username: 'Mia' }], 'export-settings': { active: false } })
    open()
    expect(await screen.findByRole('button', { name: 'Personen 1' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Export-Einstellungen 1' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Abwesenheiten/ })).toBeNull()
    expect(searches).toEqual(expect.arrayContaining(['absences?status=all', 'time-corrections?status=all']))
  })

  it('say that there are no tables, that none is chosen, and that a filter leaves nothing', async () => {
    lay(() => HttpResponse.json({ tables: {}, counts: {} }))
    const { unmount } = open()
    expect(await screen.findByText('Keine Tabellen gefunden.')).toBeTruthy()
    unmount()
    lay(all)
    open()
    expect(await screen.findByText('Bitte wähle eine Tabelle links aus.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Zeiteinträge 0' }))
    expect(await screen.findByText('Keine Daten (ggf. Filter zu streng?).')).toBeTruthy()
  })

  it('are asked for anew with another limit, of which 0 is none', async () => {
    lay(all)
    open()
    await screen.findByRole('button', { name: 'Personen 2' })
    await pick('Höchstens', 'kein Limit')
    await eventually(() => expect(searches).toEqual(['?limit=100', '?limit=0']))
  })

  it('show the rows of the table in the address, people by their names, and all that a row says', async () => {
    lay(all)
    open('/?tabelle=absences')
    const table = within(await screen.findByRole('table', { name: 'Abwesenheiten' }))
    expect(table.getByText('Finn Maurer')).toBeTruthy()
    expect(screen.getByText('2 von 1.284 Zeilen')).toBeTruthy()
    expect(table.getByText('Fieber; Arzt heute, "Dr. Wu"')).toBeTruthy()
    expect(table.getAllByRole('columnheader')).toHaveLength(7)
    expect(table.getByRole('columnheader', { name: 'Person' })).toBeTruthy()
    expect(table.queryByRole('columnheader', { name: 'user_id' })).toBeNull()
  })

  it('have our words for states and kinds, and are found by these, too', async () => {
    lay(all)
    open('/?tabelle=absences')
    const table = within(await screen.findByRole('table', { name: 'Abwesenheiten' }))
    expect(table.getByText('krank')).toBeTruthy()
    expect(table.getByText('offen')).toBeTruthy()
    expect(table.queryByText('sick')).toBeNull()
    await userEvent.type(screen.getByLabelText('Filtern'), 'entschuldigt')
    expect(screen.getByText('1 von 1.284 Zeilen')).toBeTruthy()
    expect(table.getByText('besonderer Anlass')).toBeTruthy()
  })

  it('are filtered by what stands in the JSON of a row', async () => {
    lay(all)
    open('/?tabelle=absences')
    await userEvent.type(await screen.findByLabelText('Filtern'), 'arzt')
    expect(screen.getByText('1 von 1.284 Zeilen')).toBeTruthy()
  })
})

describe('a file', () => {
  const row = { id: 1, words: 'a "b", c; d\ne', none: null, many: { a: [1] }, sum: '=1+1' }

  it('has semicolons, and quotes around what holds quotes, commas, semicolons and lines', () => {
    expect(csvOf([row, { id: 2, more: true }])).toBe(
      '\uFEFFid;words;none;many;sum;more\r\n1;"a ""b"", c; d\ne";;"{""a"":[1]}";\'=1+1;\r\n2;;;;;true\r\n',
    )
  })

  it('has no formula behind a comma within JSON', () =>
    expect(csvOf([{ many: ['x', '=1+1'] }])).toBe(`\uFEFFmany\r\n"[""x"",'""=1+1""]"\r\n`))

  it('as JSON is what came', () => expect(JSON.parse(jsonOf([row]))).toEqual([row]))

  it('is searched without regard to case', () =>
    expect([has(row, ' A \\"B'), has(row, 'x')]).toEqual([true, false]))
})
