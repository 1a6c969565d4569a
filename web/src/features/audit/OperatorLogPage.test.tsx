import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { auditWords } from '../../app/features'
import { OperatorLogPage } from './OperatorLogPage'
import type { OperatorRow } from './useOperatorLog'
import { Words } from './words'

const words = new Words(await auditWords())
const LOG = url('/api/operator-log')
let searches: URLSearchParams[] = []

serve()
beforeEach(() => {
  reload()
  logInAs({ ...MIA, role: 'admin', companyId: 'c-0' })
  reportReached()
  wide()
  searches = []
})

const row = (id: string, more: Partial<OperatorRow> = {}): OperatorRow => ({
  id,
  at: '2026-11-20T10:10:00.000Z',
  actor: 'u-3',
  actorName: 'technik',
  action: 'user.locked',
  companyId: 'c-1',
  companyName: 'Tischlerei Holm',
  subject: 'u-1',
  subjectName: 'Mia Sommer',
  before: null,
  after: null,
  network: '192.0.2.0/24',
  ...more,
})

/** Answers page by page, with a link to the next page. */
function pages(...each: OperatorRow[][]) {
  server.use(
    http.get(LOG, ({ request }) => {
      const { searchParams } = new URL(request.url)
      searches.push(searchParams)
      const index = each.findIndex(page => page[0]?.id === searchParams.get('before'))
      const next = each[Math.max(index, 0) + 1]?.[0]?.id
      const link = `</api/operator-log?before=${next}>; rel="next"`
      return HttpResponse.json(each[Math.max(index, 0)] ?? [], {
        headers: next === undefined ? {} : { Link: link },
      })
    }),
  )
}

const open = () => {
  renderPage(<OperatorLogPage words={words} />)
  return userEvent.setup()
}
const lines = () =>
  screen
    .getAllByRole('row')
    .filter(element => element.querySelector('th[scope=row]') !== null)
    .map(element => element.textContent)

describe('the operator log', () => {
  it('says who did what in which company, and what the server did', async () => {
    pages([
      row('o-2'),
      row('o-1', { action: 'server.time_confirmed', actor: null, actorName: 'Server', companyName: null }),
    ])
    open()
    await screen.findByRole('table', { name: 'Einträge' })
    expect(lines()).toEqual([
      '11:10Das Konto von Mia Sommer wurde gesperrt.Tischlerei Holmtechnik',
      '11:10Die Uhrzeit des Servers wurde bestätigt.–Server',
    ])
  })

  it('says of a failed login whose it was, and from where', async () => {
    pages([row('o-1', { action: 'login.failed', subjectName: 'technik' })])
    const user = open()
    await user.click(await screen.findByRole('button', { name: /^Einzelheiten: Anmeldung als technik/ }))
    expect(screen.getByText('192.0.2.0/24')).toBeTruthy()
  })

  it('has what was before and is after behind the line', async () => {
    pages([row('o-1', { action: 'user.role', before: { role: 'user' }, after: { role: 'companyAdmin' } })])
    const user = open()
    await user.click(await screen.findByRole('button', { name: /^Einzelheiten/ }))
    expect(screen.getByText('Rolle').nextElementSibling?.textContent).toBe(
      'vorher Mitarbeiternachher Firmen-Admin',
    )
  })

  it('leads to the log of the own company', async () => {
    pages([])
    open()
    const link = await screen.findByRole('link', { name: 'Änderungsprotokoll' })
    expect(link.getAttribute('href')).toBe('/admin?tab=audit')
  })

  it('asks for a text, for the actions that are called so, and for days', async () => {
    pages([row('o-1')])
    const user = open()
    await user.type(await screen.findByLabelText('Suchen'), 'gesperrt')
    await eventually(() => expect(searches.at(-1)?.get('q')).toBe('gesperrt'))
    expect(searches.at(-1)?.getAll('action')).toContain('user.locked')
    expect(searches.at(-1)?.getAll('action')).not.toContain('user.created')
    await user.click(screen.getByLabelText('Von'))
    await user.keyboard('01.11.2026')
    await user.tab()
    await eventually(() => expect(searches.at(-1)?.get('from')).toBe('2026-11-01'))
  })

  it('asks nobody while the days run backwards, and says so', async () => {
    pages([row('o-1')])
    const user = open()
    await screen.findByRole('table', { name: 'Einträge' })
    await user.click(screen.getByLabelText('Bis'))
    await user.keyboard('01.11.2026')
    await user.tab()
    await eventually(() => expect(searches.at(-1)?.get('to')).toBe('2026-11-01'))
    const countBefore = searches.length
    await user.click(screen.getByLabelText('Von'))
    await user.keyboard('02.11.2026')
    await user.tab()
    await screen.findByText('Der Anfang liegt nach dem Ende.')
    expect(searches).toHaveLength(countBefore)
  })

  it('loads what is older on demand', async () => {
    pages([row('o-9')], [row('o-5')])
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Weitere laden' }))
    await eventually(() => expect(lines()).toHaveLength(2))
  })

  it('that is empty says so and leads on', async () => {
    pages([])
    open()
    await screen.findByText(/Noch hat kein Betreiber etwas getan/)
    expect(screen.getByRole('link', { name: 'Firma anlegen' })).toBeTruthy()
  })

  it('in which nothing is found has a way back to everything', async () => {
    pages([])
    const user = open()
    await user.type(await screen.findByLabelText('Suchen'), 'nichts')
    await screen.findByText('Für diese Auswahl gibt es keine Einträge.')
    await user.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }))
    await screen.findByText(/Noch hat kein Betreiber etwas getan/)
    expect(within(screen.getByRole('form')).getByLabelText('Suchen')).toHaveProperty('value', '')
  })

  it('that does not come says so, and asks again', async () => {
    let refuse = true
    pages([row('o-1')])
    server.use(http.get(LOG, () => (refuse ? refusal(500, 'Gerade nicht.') : undefined)))
    const user = open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Das Protokoll konnte nicht geladen werden.')
    refuse = false
    await user.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await eventually(() => expect(lines()).toHaveLength(1))
  })
})
