import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { complaintAt } from '../../../tests/complaints'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { auditAnswers, logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { auditWords } from '../../app/features'
import { AuditPage } from './AuditPage'
import { type AuditEntry, Words } from './words'

const words = new Words(await auditWords())

const LOG = url('/api/companies/c-1/audit')
let searches: string[] = []

serve()
beforeEach(() => {
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  reportReached()
  wide()
  searches = []
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

/** Answers page by page; every page but the last links to the next. */
function pages(...each: AuditEntry[][]) {
  server.use(
    http.get(url('/api/companies/c-1/users'), () =>
      HttpResponse.json([{ id: 'u-1', username: 'Mia Sommer' }]),
    ),
    http.get(LOG, ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      searches.push(search)
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

/** The shown entries, by their lines. */
const rows = () => screen.getAllByRole('row').filter(row => row.querySelector('th[scope=row]') !== null)
const lines = () => rows().map(row => row.textContent)
const expectCount = (count: number) => eventually(() => expect(lines()).toHaveLength(count))

describe('the log', () => {
  it('says day by day who did what when, newest first as it comes', async () => {
    pages([
      entry('e-4', { at: '2026-11-20T23:10:00.000Z', actor: null, actorName: null }),
      entry('e-3', { action: 'user.role' }),
      entry('e-2', { at: '2026-11-19T23:00:00.000Z' }),
      entry('e-1', { at: '2026-11-19T22:59:59.000Z' }),
    ])
    open()
    const list = within(await screen.findByRole('table', { name: 'Einträge' }))
    expect(list.getAllByRole('row').map(row => row.textContent)).toEqual([
      'ZeitWasWer',
      'Samstag, 21. November 2026',
      '00:10Das Konto von Mia Sommer wurde gesperrt.Installation',
      'Freitag, 20. November 2026',
      '11:10Die Rolle von Mia Sommer wurde geändert.Ingrid Holm',
      '00:00Das Konto von Mia Sommer wurde gesperrt.Ingrid Holm',
      'Donnerstag, 19. November 2026',
      '23:59Das Konto von Mia Sommer wurde gesperrt.Ingrid Holm',
    ])
  })

  it('is taken along as it is seen', async () => {
    pages([entry('e-1', { at: '2026-11-20T23:10:00.000Z' })])
    const files: Blob[] = []
    const createObjectURL = (file: Blob) => `blob:${files.push(file)}`
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL() {} }))
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Als CSV' }))
    expect(await files[0]?.text()).toBe(
      'Zeit;Was;Wer\r\n"21.11.2026, 00:10";Das Konto von Mia Sommer wurde gesperrt.;Ingrid Holm\r\n',
    )
  })

  it('has what was before and is after behind the line, at a press', async () => {
    pages([entry('e-1', { action: 'user.role', before: { role: 'user' }, after: { role: 'companyAdmin' } })])
    const user = open()
    const name = 'Einzelheiten: Die Rolle von Mia Sommer wurde geändert.'
    const unfold = await screen.findByRole('button', { name })
    expect(screen.queryByText('Rolle')).toBeNull()
    await user.click(unfold)
    expect(unfold.getAttribute('aria-expanded')).toBe('true')
    expect(screen.getByText('Rolle').nextElementSibling?.textContent).toBe(
      'vorher Mitarbeiternachher Firmen-Admin',
    )
  })

  it('shows the beginning of the hash that proves an entry, and copies the whole', async () => {
    pages([entry('e-1')])
    const user = open()
    await user.click(await screen.findByRole('button', { name: /^Einzelheiten: Das Konto von Mia/ }))
    expect(screen.getByText('0123456789ab')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Prüfsumme kopieren: 0123456789ab' }))
    expect(await navigator.clipboard.readText()).toBe('0123456789abcdef'.repeat(4))
    await screen.findByText('Prüfsumme kopiert.')
  })

  it('loads what is older on demand, until there is no more', async () => {
    pages([entry('e-9')], [entry('e-5')], [entry('e-1')])
    const user = open()
    await expectCount(1)
    for (const count of [2, 3]) {
      await user.click(screen.getByRole('button', { name: 'Weitere laden' }))
      await expectCount(count)
    }
    expect(screen.queryByRole('button', { name: 'Weitere laden' })).toBeNull()
    const end = screen.getByText('Ältere Einträge gibt es nicht.')
    await eventually(() => expect(document.activeElement).toBe(end))
    expect(searches).toEqual(['', '?before=e-5', '?before=e-1'])
  })

  it('keeps what is there when the next page fails, and tries again', async () => {
    let refuse = true
    pages([entry('e-9')], [entry('e-5')])
    const user = open()
    await expectCount(1)
    server.use(http.get(LOG, () => (refuse ? refusal(500, 'Gerade nicht.') : undefined)))
    await user.click(screen.getByRole('button', { name: 'Weitere laden' }))
    await screen.findByText('Weitere Einträge konnten nicht geladen werden.')
    expect(screen.getByText('Gerade nicht.')).toBeTruthy()
    expect(lines()).toHaveLength(1)
    refuse = false
    const retryButton = screen.getByRole('button', { name: 'Erneut versuchen' })
    await eventually(() => expect(document.activeElement).toBe(retryButton))
    await user.keyboard('{Enter}')
    await expectCount(2)
  })

  it('keeps what is there when it cannot be asked for anew, and then asks for all of it', async () => {
    let refuse = false
    pages([entry('e-9')], [entry('e-5')])
    const { queries } = renderPage(<AuditPage companyId="c-1" words={words} />)
    await expectCount(1)
    server.use(http.get(LOG, () => (refuse ? refusal(500, 'Gerade nicht.') : undefined)))
    refuse = true
    await act(() => queries.invalidateQueries({ queryKey: ['/api/companies/{id}/audit'] }))
    await screen.findByText('Das Protokoll konnte nicht geladen werden.')
    expect(lines()).toHaveLength(1)
    refuse = false
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await eventually(() => expect(screen.queryByText('Gerade nicht.')).toBeNull())
    expect(searches).toEqual(['', ''])
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
    await expectCount(1)
  })
})

describe('the filters', () => {
  const box = (name: string) => screen.findByRole<HTMLInputElement>('combobox', { name })

  /** Types a day and leaves the field, which commits it. */
  async function enter(user: ReturnType<typeof open>, name: string, day: string) {
    await user.click(screen.getByLabelText(name))
    await user.keyboard(day)
    await user.tab()
  }

  it('ask for a person, a kind, a whole group and days, and are cleared at once', async () => {
    pages([entry('e-1'), entry('e-2', { action: 'user.role' }), entry('e-3', { action: 'device.changed' })])
    const user = open()
    await expectCount(3)
    const person = await box('Wer')
    await user.click(person)
    const list = document.getElementById(person.getAttribute('aria-controls') ?? '') as HTMLElement
    const names = within(list).getAllByRole('option', { hidden: true })
    expect(names.map(option => option.textContent)).toEqual(['Alle', 'Ingrid Holm', 'Mia Sommer'])
    await user.keyboard('{Escape}')
    await pick('Wer', 'Ingrid Holm')
    await pick('Was', 'Personen und Zugänge: alles')
    await pick('Was', 'Konto gesperrt')
    await enter(user, 'Von', '01.11.2026')
    await enter(user, 'Bis', '30.11.2026')
    await eventually(() =>
      expect(searches.map(search => decodeURIComponent(search))).toEqual([
        '',
        '?actor=u-2',
        '?actor=u-2&action=user.',
        '?actor=u-2&action=user.locked',
        '?actor=u-2&action=user.locked&from=2026-11-01',
        '?actor=u-2&action=user.locked&from=2026-11-01&to=2026-11-30',
      ]),
    )
    await expectCount(3)
    await user.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }))
    expect(screen.queryByRole('button', { name: 'Filter zurücksetzen' })).toBeNull()
    expect((await box('Wer')).value).toBe('Alle')
    expect((await box('Was')).value).toBe('Alles')
    for (const name of ['Von', 'Bis']) expect(screen.getByLabelText(name)).toHaveProperty('value', '')
    await expectCount(3)
    await eventually(() => expect(document.activeElement).toBe(person))
  })

  it('that find nothing say so, with the one way back to everything', async () => {
    pages([])
    const user = open()
    await screen.findByText(/Noch hat niemand/)
    expect(screen.queryByRole('button', { name: 'Filter zurücksetzen' })).toBeNull()
    await enter(user, 'Von', '02.11.2026')
    await screen.findByText('Für diese Auswahl gibt es keine Einträge.')
    await user.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }))
    await screen.findByText(/Noch hat niemand/)
    expect(screen.getByLabelText('Von')).toHaveProperty('value', '')
    const person = await box('Wer')
    await eventually(() => expect(document.activeElement).toBe(person))
  })

  it('with a day that there is not keep it to be mended, and ask nobody', async () => {
    pages([])
    const user = open()
    await screen.findByText(/Noch hat niemand/)
    const countBefore = searches.length
    await enter(user, 'Von', '31.11.2026')
    await screen.findByText('Diesen Tag gibt es nicht.')
    const from = screen.getByLabelText('Von')
    expect(complaintAt(from)).toBe('Diesen Tag gibt es nicht.')
    expect(from).toHaveProperty('value', '31.11.2026')
    expect(searches).toHaveLength(countBefore)
    await user.clear(from)
    await enter(user, 'Von', '30.11.26')
    await eventually(() => expect(searches.length).toBeGreaterThan(countBefore))
    expect(screen.queryByText('Diesen Tag gibt es nicht.')).toBeNull()
    expect(from).toHaveProperty('value', '30.11.2026')
  })

  it('whose days run backwards ask nobody, and say so', async () => {
    pages([])
    const user = open()
    await screen.findByText(/Noch hat niemand/)
    await enter(user, 'Von', '02.11.2026')
    await screen.findByText('Für diese Auswahl gibt es keine Einträge.')
    const countBefore = searches.length
    await enter(user, 'Bis', '01.11.2026')
    await screen.findByText('Der Anfang liegt nach dem Ende.')
    expect(complaintAt(screen.getByLabelText('Von'))).toBe('Der Anfang liegt nach dem Ende.')
    expect(screen.queryByText('Für diese Auswahl gibt es keine Einträge.')).toBeNull()
    expect(screen.getAllByRole('button', { name: 'Filter zurücksetzen' })).toHaveLength(1)
    expect(searches).toHaveLength(countBefore)
  })
})
