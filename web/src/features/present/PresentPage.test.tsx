import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { renderPage, wide } from '../../../tests/page'
import { logInAs, MIA, never, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { addDays, dayOf } from '../../ui/days'
import { PresentPage } from './PresentPage'

const CHEF = { ...MIA, role: 'companyAdmin' }
const TODAY = dayOf(new Date())

let events: Events

serve()
beforeEach(() => {
  events = layEvents()
  reload()
  logInAs(CHEF)
})

let dates: (string | null)[]
function answers(reply: () => Response | Promise<Response>) {
  dates = []
  server.use(
    http.get(url('/api/companies/c-1/features'), () =>
      HttpResponse.json([{ id: 'f-1', key: 'manage_employees', label: 'Mitarbeiter verwalten' }]),
    ),
    http.get(url('/api/companies/c-1/attendance'), ({ request }) => {
      dates.push(new URL(request.url).searchParams.get('date'))
      return reply()
    }),
  )
}

const person = (userId: string, username: string, start: string | null, end: string | null) => ({
  userId,
  username,
  start,
  end,
})
const expected = (userId: string, clockedIn: boolean | null) => ({
  ...person(userId, `Person ${userId}`, '08:00', clockedIn === true ? null : '16:30'),
  clockedIn,
})
const emptyDay = { expected: [], unexpected: [] }
const open = (at = '/company-dashboard?tab=present') => renderPage(<PresentPage session={CHEF} />, at)
const list = async (name: string) => within(await screen.findByRole('region', { name }))

describe('Anwesende Mitarbeiter', () => {
  it('that are refused say so with the service’s reason, and are asked for again', async () => {
    let refused = true
    answers(() =>
      refused ? refusal(403, 'Dieses Modul ist nicht freigeschaltet.') : HttpResponse.json(emptyDay),
    )
    open()
    await screen.findByText('Konnte Anwesenheiten nicht laden.')
    expect(screen.getByText('Dieses Modul ist nicht freigeschaltet.')).toBeTruthy()
    refused = false
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByText('Niemand eingestempelt.')
  })

  it('says nothing of anybody before it knows', () => {
    answers(never)
    open()
    expect(screen.queryByText('Niemand eingestempelt.')).toBeNull()
  })

  it('says of each list that it is empty', async () => {
    answers(() => HttpResponse.json(emptyDay))
    open()
    await screen.findByText('Niemand eingestempelt.')
    expect(screen.getByText('Alle Anwesenden haben eingestempelt.')).toBeTruthy()
    expect(screen.getByText('Keine unerwarteten Stempelungen.')).toBeTruthy()
    expect(screen.queryByText(/noch nicht fällig/)).toBeNull()
  })

  it('has three lists with their badges, and an ellipsis where the end is open', async () => {
    wide()
    answers(() =>
      HttpResponse.json({
        expected: [expected('a', true), expected('b', false), expected('c', null)],
        unexpected: [person('d', 'Person d', null, '12:00'), person('e', 'Person e', null, null)],
      }),
    )
    open()
    const presentList = await list('Geplant und da')
    expect(presentList.getByRole('row', { name: /Person a/ }).textContent).toBe(
      'Person a08:00–…eingestempelt',
    )
    const missing = await list('Geplant und nicht da')
    expect(missing.getByRole('row', { name: /Person b/ }).textContent).toBe('Person b08:00–16:30fehlt')
    const unexpected = await list('Ohne Plan da')
    expect(unexpected.getByRole('row', { name: /Person d/ }).textContent).toBe('Person d…–12:00unerwartet')
    expect(unexpected.getByRole('row', { name: /Person e/ }).textContent).toBe(
      'Person eohne Uhrzeitunerwartet',
    )
    // Neither there nor missing.
    expect(screen.getByText(/^noch nicht fällig:/).textContent).toBe(
      'noch nicht fällig: Person c (08:00–16:30)',
    )
  })

  it('leads to everybody whom it names', async () => {
    answers(() =>
      HttpResponse.json({
        expected: [expected('a', true), expected('b', false), expected('c', null)],
        unexpected: [person('d', 'Person d', null, '12:00')],
      }),
    )
    open()
    for (const id of ['a', 'b', 'c', 'd']) {
      const link = await screen.findByRole('link', { name: `Person ${id}` })
      expect(link.getAttribute('href')).toContain(`tab=manage_employees&person=${id}`)
    }
  })

  it('asks for today, and for the day in the address', async () => {
    answers(() => HttpResponse.json(emptyDay))
    const { unmount } = open()
    await screen.findByText('Niemand eingestempelt.')
    unmount()
    open('/company-dashboard?tab=present&tag=2026-11-02')
    await screen.findByText('Niemand eingestempelt.')
    expect([...new Set(dates)]).toEqual([TODAY, '2026-11-02'])
  })

  it('shows another day, which then stands in the address', async () => {
    answers(() => HttpResponse.json(emptyDay))
    const { where } = open()
    await screen.findByText('Niemand eingestempelt.')
    const yesterday = addDays(TODAY, -1)
    const field = screen.getByLabelText('Tag')
    await userEvent.clear(field)
    await userEvent.type(field, yesterday.split('-').reverse().join('.'))
    await userEvent.tab()
    await waitFor(() => expect(where()).toBe(`/company-dashboard?tab=present&tag=${yesterday}`))
    await waitFor(() => expect(dates.at(-1)).toBe(yesterday))
  })

  it('asks anew when it is told to, and when the service says that something has changed', async () => {
    answers(() => HttpResponse.json(emptyDay))
    open()
    await screen.findByText('Niemand eingestempelt.')
    await waitFor(() => expect(events.open.length).toBe(1))
    const countBefore = dates.length
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    await waitFor(() => expect(dates.length).toBeGreaterThan(countBefore))
    const then = dates.length
    act(() => events.open[0]?.say({ type: 'times_update' }))
    await waitFor(() => expect(dates.length).toBeGreaterThan(then))
  })
})
