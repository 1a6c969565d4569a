import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage, wide } from '../../../tests/page'
import { auditAnswers, logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { auditWords } from '../../app/features'
import { AuditPage } from './AuditPage'
import { nextIn } from './useAudit'
import { type AuditEntry, Words } from './words'

const words = new Words(await auditWords())

const LOG = url('/api/companies/c-1/audit')
let asked: string[] = []

serve()
beforeEach(() => {
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  reportReached()
  asked = []
})

const entry = (id: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: '2026-11-20T10:10:00.000Z',
  actor: 'u-2',
  actorName: 'Ingrid Holm',
  action: 'user.locked',
  subject: 'u-1',
  subjectName: 'Mia Sommer',
  before: null,
  after: null,
  hash: '0123456789abcdef'.repeat(4),
  ...more,
})

/** Answers page by page; a page before the last says where the next begins. */
function pages(...each: AuditEntry[][]) {
  server.use(
    http.get(url('/api/companies/c-1/users'), () =>
      HttpResponse.json([{ id: 'u-1', username: 'Mia Sommer' }]),
    ),
    http.get(LOG, ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      asked.push(search)
      const index = each.findIndex(page => page[0]?.id === searchParams.get('before'))
      const page = each[Math.max(index, 0)] ?? []
      const next = each[Math.max(index, 0) + 1]?.[0]?.id
      const link = `</api/companies/c-1/audit?before=${next}&limit=50>; rel="next"`
      return HttpResponse.json(page, { headers: next === undefined ? {} : { Link: link } })
    }),
    ...auditAnswers(each.flat()),
  )
}

const open = () => {
  renderPage(<AuditPage companyId="c-1" words={words} />)
  return userEvent.setup()
}

describe('the log', () => {
  it('says who did what when, with what was before and is after, as a table', async () => {
    wide()
    pages([entry('e-1', { action: 'user.role', before: { role: 'user' }, after: { role: 'companyAdmin' } })])
    open()
    const table = await screen.findByRole('table', { name: 'Einträge' })
    const cells = within(table)
      .getAllByRole('cell')
      .map(cell => cell.textContent)
    expect(cells[0]).toBe('20.11.2026 11:10 Uhr')
    expect(cells[1]).toBe('Ingrid Holm')
    expect(cells[2]).toContain('Die Rolle von Mia Sommer wurde geändert.')
    expect(cells[2]).toContain('vorher Mitarbeiternachher Firmen-Admin')
    expect(cells[3]).toBe('0123456789ab')
  })

  it('is cards on a phone; the whole hash is copied', async () => {
    pages([entry('e-1')])
    const user = open()
    const card = within(await screen.findByRole('article'))
    expect(card.getByText('Das Konto von Mia Sommer wurde gesperrt.')).toBeTruthy()
    await user.click(card.getByRole('button', { name: 'Prüfsumme kopieren: 0123456789ab' }))
    expect(await navigator.clipboard.readText()).toBe('0123456789abcdef'.repeat(4))
    await card.findByText('Prüfsumme kopiert.')
  })

  it('loads what is older on demand, until there is no more', async () => {
    pages([entry('e-9')], [entry('e-5')], [entry('e-1')])
    const user = open()
    await screen.findByRole('article')
    for (const count of [2, 3]) {
      await user.click(screen.getByRole('button', { name: 'Weitere laden' }))
      await vi.waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(count))
    }
    expect(screen.queryByRole('button', { name: 'Weitere laden' })).toBeNull()
    const end = screen.getByText('Ältere Einträge gibt es nicht.')
    await vi.waitFor(() => expect(document.activeElement).toBe(end))
    expect(asked).toEqual(['', '?before=e-5', '?before=e-1'])
  })

  it('keeps what is there when the next page fails, and tries again', async () => {
    let refuse = true
    pages([entry('e-9')], [entry('e-5')])
    const user = open()
    await screen.findByRole('article')
    server.use(http.get(LOG, () => (refuse ? refusal(500, 'Gerade nicht.') : undefined)))
    await user.click(screen.getByRole('button', { name: 'Weitere laden' }))
    await screen.findByText('Weitere Einträge konnten nicht geladen werden.')
    expect(screen.getByText('Gerade nicht.')).toBeTruthy()
    expect(screen.getAllByRole('article')).toHaveLength(1)
    refuse = false
    const again = screen.getByRole('button', { name: 'Erneut versuchen' })
    await vi.waitFor(() => expect(document.activeElement).toBe(again))
    await user.keyboard('{Enter}')
    await vi.waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2))
  })

  it('keeps what is there when it cannot be asked for anew, and then asks for all of it', async () => {
    let refuse = false
    pages([entry('e-9')], [entry('e-5')])
    const { queries } = renderPage(<AuditPage companyId="c-1" words={words} />)
    await screen.findByRole('article')
    server.use(http.get(LOG, () => (refuse ? refusal(500, 'Gerade nicht.') : undefined)))
    refuse = true
    await act(() => queries.invalidateQueries({ queryKey: ['audit'] }))
    await screen.findByText('Das Protokoll konnte nicht geladen werden.')
    expect(screen.getAllByRole('article')).toHaveLength(1)
    refuse = false
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await vi.waitFor(() => expect(screen.queryByText('Gerade nicht.')).toBeNull())
    expect(asked).toEqual(['', ''])
  })

  it('that is empty says so', async () => {
    pages([])
    open()
    await screen.findByText('Noch hat niemand etwas entschieden, was hierher gehört.')
  })

  it('that does not come says so, and asks again', async () => {
    let count = 0
    pages([entry('e-1')])
    server.use(
      http.get(LOG, () => {
        count += 1
        return count === 1 ? new HttpResponse(null, { status: 404 }) : undefined
      }),
    )
    const user = open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Das Protokoll konnte nicht geladen werden.')
    expect(alert.textContent).toContain('Endpoint nicht gefunden (404).')
    await user.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByRole('article')
  })
})

describe('the filters', () => {
  it('ask for a person, a kind, a whole group and days, and are cleared at once', async () => {
    pages([entry('e-1'), entry('e-2', { action: 'user.role' }), entry('e-3', { action: 'device.changed' })])
    const user = open()
    await screen.findAllByRole('article')
    const person = screen.getByLabelText('Wer')
    const names = within(person)
      .getAllByRole('option')
      .map(option => option.textContent)
    expect(names).toEqual(['Alle', 'Ingrid Holm', 'Mia Sommer'])
    await user.selectOptions(person, 'Ingrid Holm')
    const kind = screen.getByLabelText('Was')
    await user.selectOptions(kind, 'Personen und Zugänge: alles')
    await user.selectOptions(kind, 'Konto gesperrt')
    await user.type(screen.getByLabelText('Von'), '2026-11-01')
    await user.type(screen.getByLabelText('Bis'), '2026-11-30')
    await vi.waitFor(() =>
      expect(asked.map(search => decodeURIComponent(search))).toEqual([
        '',
        '?actor=u-2',
        '?actor=u-2&action=user.',
        '?actor=u-2&action=user.locked',
        '?actor=u-2&action=user.locked&from=2026-11-01',
        '?actor=u-2&action=user.locked&from=2026-11-01&to=2026-11-30',
      ]),
    )
    await user.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }))
    expect((person as HTMLSelectElement).value).toBe('')
    await screen.findAllByRole('article')
    await vi.waitFor(() => expect(document.activeElement).toBe(person))
  })

  it('whose days run backwards ask nobody, and say so', async () => {
    pages([])
    const user = open()
    await screen.findByText(/Noch hat niemand/)
    await user.type(screen.getByLabelText('Von'), '2026-11-02')
    const empty = await screen.findByText('Für diese Auswahl gibt es keine Einträge.')
    await user.click(within(empty.parentElement as HTMLElement).getByRole('button'))
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Wer')))
    await user.type(screen.getByLabelText('Von'), '2026-11-02')
    const before = asked.length
    await user.type(screen.getByLabelText('Bis'), '2026-11-01')
    await screen.findByText('Der Anfang liegt nach dem Ende.')
    expect(screen.queryByText('Für diese Auswahl gibt es keine Einträge.')).toBeNull()
    expect(asked).toHaveLength(before)
  })
})

describe('the way to the next page', () => {
  it.each([
    [null, null],
    ['', null],
    ['</a?before=e-5>; rel="prev"', null],
    ['</a?limit=50&before=e-5>; rel="next"', 'e-5'],
    ['<https://host/a?before=e%2D5>; rel=next', 'e-5'],
    ['</a?limit=50>; rel="next"', null],
  ])('in %s is %s', (link, id) => expect(nextIn(link)).toBe(id))
})
