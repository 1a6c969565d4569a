import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { renderPage } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { DecidePage } from './DecidePage'
import { absence, correction, leave } from './samples'
import { openReports } from './waiting'

serve()

let sent: { path: string; body: unknown }[]
beforeEach(() => {
  layEvents()
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  sent = []
})

/** The service has these lists, and takes every decision but what `refused` says. */
function lay(
  lists: Record<string, readonly object[]>,
  refused: (path: string) => Response | undefined = () => undefined,
) {
  server.use(
    http.get(url('/api/companies/c-1/:list'), ({ request, params }) => {
      const status = new URL(request.url).searchParams.get('status')
      return HttpResponse.json(lists[`${params.list} ${status}`] ?? [])
    }),
    http.post(url('/api/:list/:id/:decision'), async ({ request, params }) => {
      const text = await request.text()
      sent.push({ path: `${params.list}/${params.id}/${params.decision}`, body: text && JSON.parse(text) })
      return refused(String(params.id)) ?? HttpResponse.json({})
    }),
  )
  return renderPage(<DecidePage companyId="c-1" />, '/company-dashboard')
}

const part = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const act = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }))

describe('what waits for a decision', () => {
  it('that cannot be loaded says so in the words that are fixed', async () => {
    server.use(http.get(url('/api/companies/c-1/absences'), () => refusal(500, '')))
    renderPage(<DecidePage companyId="c-1" />, '/company-dashboard')
    await screen.findByText(/Abwesenheiten konnten nicht geladen werden\./)
  })

  it('is nothing, and says so', async () => {
    lay({})
    await screen.findByText('Hier wartet nichts auf dich.')
  })

  it('is a report of illness as a whole, which is excused with all its days once one leaves', async () => {
    const { unmount } = lay({ 'absences open': [absence('a-1', '2026-11-19'), absence('a-2', '2026-11-20')] })
    const list = await screen.findByRole('list', { name: 'Abwesenheiten' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(1)
    await act('Entschuldigen, eAU abgerufen')
    expect(sent).toEqual([])
    unmount()
    const body = { certified: true, comment: null, wholeReport: true }
    await waitFor(() => expect(sent).toEqual([{ path: 'absences/a-1/excuse', body }]))
  })

  it('has leave whose person wishes it to be cancelled, which needs a sentence', async () => {
    const wish = leave('v-1', {
      status: 'approved',
      cancelRequested: true,
      cancelReason: 'Die Reise fällt aus.',
    })
    const { unmount } = lay({ 'vacation-requests cancel_requested': [wish] })
    await part('Urlaub und Wunschfrei')
    await screen.findByText('Die Reise fällt aus.')
    await act('Stornieren')
    await userEvent.type(screen.getByRole('textbox'), 'Auf deinen Wunsch.')
    await act('Stornieren')
    unmount()
    await waitFor(() =>
      expect(sent).toEqual([
        { path: 'vacation-requests/v-1/cancel', body: { comment: 'Auf deinen Wunsch.' } },
      ]),
    )
  })

  it('is never cancelled and approved by one press', async () => {
    const wish = leave('v-1', { status: 'approved', cancelRequested: true, username: 'Ayse' })
    lay({ 'vacation-requests pending': [leave('v-2')], 'vacation-requests cancel_requested': [wish] })
    await part('Urlaub und Wunschfrei')
    const list = await screen.findByRole('list', { name: 'Urlaub und Wunschfrei' })
    for (const box of within(list).getAllByRole('checkbox')) await userEvent.click(box)
    expect(
      screen.queryByRole('button', { name: /^(Genehmigen|Stornieren|Ablehnen|Urlaub behalten)/ }),
    ).toBeNull()
  })

  it('cannot be approved without a start, and says so', async () => {
    lay({ 'time-corrections pending': [correction('k-1', { newStart: null })] })
    await part('Zeitkorrekturen')
    await screen.findByText('Startzeit fehlt. Bitte Startzeit angeben, bevor du genehmigst.')
    expect(screen.queryByRole('button', { name: /^Genehmigen/ })).toBeNull()
    screen.getByRole('button', { name: /^Ablehnen/ })
  })

  it('puts the days of a report together and leaves others apart', () => {
    const found = openReports([
      absence('a-2', '2026-11-20'),
      absence('a-1', '2026-11-19'),
      absence('b-1', '2026-11-20', { reportId: 'r-2', userMessage: null }),
    ])
    expect(found.map(({ first, last, count }) => [first, last, count])).toEqual([
      ['2026-11-19', '2026-11-20', 2],
      ['2026-11-20', '2026-11-20', 1],
    ])
  })
})
