import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { fill, renderPage, success, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { dayOf } from '../../ui/days'
import { MyTrips } from './MyTrips'
import { month, trip } from './samples'
import { TripsPage } from './TripsPage'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
let events: Events
let sent: unknown[]
let asked: (string | null)[]
beforeEach(() => {
  events = layEvents()
  reload()
  reportReached()
  sent = []
  asked = []
})

describe('the trips of a company', () => {
  function open(answer: () => Response = () => HttpResponse.json(month), refused?: () => Response) {
    logInAs(BOSS)
    wide()
    server.use(
      http.get(url('/api/companies/c-1/features'), () => HttpResponse.json([])),
      http.get(url('/api/companies/c-1/trips'), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('month'))
        return answer()
      }),
      http.post(url('/api/trips/:id/decide'), async ({ request, params }) => {
        sent.push([params.id, await request.json()])
        return refused?.() ?? HttpResponse.json(trip('t-3'))
      }),
    )
    return renderPage(<TripsPage session={BOSS} />, '/company-dashboard?tab=trips&monat=2026-11')
  }
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
  const leave = () => act(() => window.dispatchEvent(new Event('pagehide')))

  it('that are refused, also another company’s, say so, and are asked for again', async () => {
    let refused = true
    open(() => (refused ? refusal(404, 'Nicht gefunden.') : HttpResponse.json([])))
    await screen.findByText('Die Dienstfahrten konnten nicht geladen werden.')
    expect(screen.getByText('Nicht gefunden.')).toBeTruthy()
    refused = false
    await press('Erneut versuchen')
    await screen.findByText('In diesem Monat gibt es keine Dienstfahrten.')
    expect(new Set(asked)).toEqual(new Set(['2026-11']))
  })

  it('are all in the table, with their kilometres together and what was said of them', async () => {
    open()
    const table = within(await screen.findByRole('table', { name: 'Alle Fahrten im November 2026' }))
    const rows = table.getAllByRole('row').map(row => row.textContent?.replaceAll('\u00a0', ' '))
    expect(rows).toHaveLength(6)
    expect(rows[2]).toContain('13.11.2026Baumarkt Süd Beschläge geholt42 kmabgelehnt')
    expect(rows[2]).toContain('Ingrid Holm: Dafür gibt es den Bus.')
    expect(rows.at(-1)).toContain('1.634 km')
  })

  it('that wait are approved once one leaves, and the month is asked for anew', async () => {
    open()
    await press('Genehmigen')
    expect(sent).toEqual([])
    const before = asked.length
    leave()
    await success('Dienstfahrt genehmigt.')
    expect(sent).toEqual([['t-3', { status: 'approved', comment: null }]])
    await waitFor(() => expect(asked.length).toBeGreaterThan(before))
  })

  it('are declined with a sentence alone', async () => {
    open()
    await press('Ablehnen')
    leave()
    expect(sent).toEqual([])
    const [field] = screen.getAllByRole('textbox')
    await fill(field as HTMLElement, 'Dafür gibt es den Bus.')
    await press('Ablehnen')
    leave()
    await success('Dienstfahrt abgelehnt.')
    expect(sent).toEqual([['t-3', { status: 'declined', comment: 'Dafür gibt es den Bus.' }]])
  })

  it('that somebody else decided meanwhile say by whom', async () => {
    const by = { code: 'already_decided', decidedBy: 'vertretung', decidedAt: '2026-11-20T08:00:00.000Z' }
    open(
      () => HttpResponse.json([trip('t-3')]),
      () => refusal(409, 'Über diese Fahrt wurde bereits entschieden.', by),
    )
    await press('Genehmigen')
    leave()
    await screen.findByText(/vertretung/)
  })

  it('are looked at anew when the service says that something has changed', async () => {
    open()
    await screen.findByRole('table')
    await waitFor(() => expect(events.open.length).toBe(1))
    const before = asked.length
    act(() => events.open[0]?.say({ type: 'plan_update' }))
    await waitFor(() => expect(asked.length).toBeGreaterThan(before))
  })
})

describe('an employee’s trip', () => {
  async function ask(answer: () => Response, kilometres = '42') {
    logInAs()
    server.use(
      http.post(url('/api/trips'), async ({ request }) => {
        sent.push(await request.json())
        return answer()
      }),
    )
    renderPage(<MyTrips />)
    await userEvent.click(screen.getByRole('button', { name: 'Dienstfahrt einreichen' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(dialog.getByLabelText('Ziel'), 'Baumarkt Süd')
    await fill(dialog.getByLabelText('Kilometer'), kilometres)
    const send = () => userEvent.click(dialog.getByRole('button', { name: 'Einreichen' }))
    return { dialog, send }
  }

  it('that is not whole says what is missing, and is not sent', async () => {
    const { dialog, send } = await ask(() => HttpResponse.json(trip('t-9')), '4,5')
    await send()
    expect(await dialog.findByText('Bitte als ganze Zahl von 1 bis 5000.')).toBeTruthy()
    expect(dialog.getByText('Bitte ausfüllen.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('that is refused says why at its field', async () => {
    const message = 'Die Fahrt liegt mehr als zwei Jahre zurück.'
    const { dialog, send } = await ask(() => refusal(422, message, { errors: [{ field: 'date', message }] }))
    await fill(dialog.getByLabelText('Zweck'), 'Beschläge geholt')
    await send()
    expect(await dialog.findByText(message)).toBeTruthy()
  })

  it('that cannot be sent says so, and nothing of it is lost', async () => {
    const { dialog, send } = await ask(() => HttpResponse.error())
    await fill(dialog.getByLabelText('Zweck'), 'Beschläge geholt')
    await send()
    expect(await dialog.findByText('Die Dienstfahrt konnte nicht eingereicht werden.')).toBeTruthy()
    expect((dialog.getByLabelText('Ziel') as HTMLInputElement).value).toBe('Baumarkt Süd')
  })

  it('is sent with what was typed', async () => {
    const { dialog, send } = await ask(() => HttpResponse.json(trip('t-9'), { status: 201 }))
    await fill(dialog.getByLabelText('Zweck'), 'Beschläge geholt')
    await send()
    await success('Dienstfahrt eingereicht.')
    const told = {
      date: dayOf(new Date()),
      destination: 'Baumarkt Süd',
      kilometres: 42,
      purpose: 'Beschläge geholt',
    }
    expect(sent).toEqual([told])
  })
})
