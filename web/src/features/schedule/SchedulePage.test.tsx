import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { renderPage, success, wide } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { held, logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { holdTimers } from '../../../tests/timers'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import type { Unsent } from '../../offline/db'
import { discard, listOf, put } from '../../offline/outbox'
import { keep, wipe } from '../../offline/snapshots'
import { keepSending } from '../../patterns/sending'
import { SchedulePage } from './SchedulePage'
import { CANDIDATES, DUTIES, MESSAGES, OWN_REQUESTS, SWAP_REQUESTS } from './samples'

let events: Events
/** Would keep sending after a test. */
const stops: (() => void)[] = []

serve()
beforeEach(async () => {
  reload()
  logInAs()
  reportReached()
  await wipe()
  await discard()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
  events = layEvents()
  server.use(
    http.get(url('/api/companies/c-1/schedule'), () => HttpResponse.json(DUTIES)),
    http.get(url('/api/schedule/my-swap-requests'), () => HttpResponse.json(SWAP_REQUESTS)),
    http.get(url('/api/schedule/swap-candidates'), () => HttpResponse.json(CANDIDATES)),
    http.get(url('/api/vacation-requests/mine'), () => HttpResponse.json(OWN_REQUESTS)),
    http.get(url('/api/companies/c-1/users'), () =>
      HttpResponse.json([
        { id: 'u-1', username: 'Mia Sommer' },
        ...CANDIDATES.map(({ id, username }) => ({ id, username })),
      ]),
    ),
    http.get(url('/api/calendar-address'), () => HttpResponse.json({ active: false, createdAt: null })),
    http.get(url('/api/messages'), () => HttpResponse.json(MESSAGES)),
  )
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  reportReached()
})

function Page({ start = '2026-11' }: { start?: string }) {
  const [month, setMonth] = useState(start)
  return <SchedulePage session={MIA} month={month} onMonth={setMonth} />
}

const open = (start?: string) => renderPage(<Page {...(start === undefined ? {} : { start })} />)
const calendar = (month = 'November 2026') =>
  screen.findByRole('table', { name: `Deine Dienste im ${month}` })
const cell = (table: HTMLElement, day: string) =>
  table.querySelector(`time[datetime="${day}"]`)?.closest('td') as HTMLElement
const card = async () =>
  (await screen.findByRole('heading', { name: 'Wann arbeite ich als Nächstes?' })).closest(
    'section',
  ) as HTMLElement
const handOver = (day: string) => screen.findByRole('button', { name: `Dienst am ${day} übergeben` })
const FRIDAY = 'Freitag, 27. November 2026'
const MONDAY = 'Montag, 23. November 2026'

/** Opens a duty's dialog, once the candidates are loaded. */
async function dialogOf(day = MONDAY) {
  await userEvent.click(await handOver(day))
  const dialog = await screen.findByRole('dialog', { name: 'Dienst übergeben' })
  await waitFor(() => expect(within(dialog).queryByText(/werden geladen/)).toBeNull())
  return dialog
}

const choose = (name: string) => pick('Empfänger*in auswählen', name)

/** The offered people. */
async function offered() {
  await userEvent.click(screen.getByRole('combobox', { name: 'Empfänger*in auswählen' }))
  return screen.findAllByRole('option', { hidden: true })
}

const send = (dialog: HTMLElement) =>
  userEvent.click(within(dialog).getByRole('button', { name: 'Anfrage senden' }))

/** Sets the service's answer to the request; returns the received bodies. */
function answering(answer: () => Response | Promise<Response>) {
  const got: unknown[] = []
  server.use(
    http.post(url('/api/schedule/swap-request'), async ({ request }) => {
      got.push(await request.json())
      return answer()
    }),
  )
  return got
}

const SENT = {
  id: 's-2',
  date: '2026-11-23',
  to: 'u-6',
  toName: 'Emre Yıldız',
  createdAt: '2026-11-20T10:10:00Z',
}

describe('what was published', () => {
  it('is marked until its message has been read', async () => {
    wide()
    open()
    const table = await calendar()
    await waitFor(() => expect(cell(table, '2026-11-24').textContent).toContain('geändert'))
    expect(cell(table, '2026-11-23').textContent).not.toContain('geändert')
    server.use(http.get(url('/api/messages'), () => HttpResponse.json([])))
    act(() => events.open[0]?.say({ type: 'messages_update' }))
    await waitFor(() => expect(cell(table, '2026-11-24').textContent).not.toContain('geändert'))
  })
})

describe('when one works next', () => {
  it('is said first, with its time, and what comes after it', async () => {
    open()
    const dutyCard = within(await card())
    expect(dutyCard.getByRole('button').textContent).toBe('Heute, 07:00–15:30')
    expect(dutyCard.getByText('Läuft gerade, bis 15:30 Uhr.')).toBeTruthy()
    expect(dutyCard.getByText(/Danach:/).textContent).toBe('Danach: Montag, 23. November, 07:00–15:30')
  })

  it('leads to its day, also in another month', async () => {
    wide()
    vi.setSystemTime(new Date('2026-11-29T10:00:00Z'))
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    open()
    const dutyCard = within(await card())
    expect(dutyCard.getByRole('button').textContent).toBe('Donnerstag, 3. Dezember, 07:00–15:30')
    await userEvent.click(dutyCard.getByRole('button'))
    const table = await calendar('Dezember 2026')
    expect(document.activeElement).toBe(within(cell(table, '2026-12-03')).getByRole('button'))
    expect(scroll).toHaveBeenCalled()
  })

  it('is said, too, where there is nothing', async () => {
    server.use(http.get(url('/api/companies/c-1/schedule'), () => HttpResponse.json([])))
    open()
    expect((await card()).textContent).toContain(
      'In den nächsten 60\u00a0Tagen ist kein Dienst für dich geplant.',
    )
  })

  it('names who has been asked to take it over', async () => {
    server.use(
      http.get(url('/api/schedule/my-swap-requests'), () =>
        HttpResponse.json([{ ...SWAP_REQUESTS[0], date: '2026-11-20' }]),
      ),
    )
    open()
    expect(await within(await card()).findByText('Übergabe an Ben Kurz angefragt.')).toBeTruthy()
  })
})

describe('the month', () => {
  it('asks for its weeks, and shows own duties as "Dienst" without a time', async () => {
    const searches: string[] = []
    server.use(
      http.get(url('/api/companies/c-1/schedule'), ({ request }) => {
        searches.push(new URL(request.url).search)
        return HttpResponse.json([...DUTIES, { ...DUTIES[0], id: 'x', userId: 'u-9', date: '2026-11-30' }])
      }),
    )
    wide()
    open()
    const table = await calendar()
    expect(cell(table, '2026-11-24').textContent).toContain('Dienst')
    expect(table.textContent).not.toContain('07:00')
    await waitFor(() => expect(cell(table, '2026-11-30').textContent).toContain('Wunschfrei'))
    expect(cell(table, '2026-11-30').textContent).not.toContain('Dienst')
    expect(cell(table, '2026-11-18').textContent).toContain('Urlaub')
    expect(cell(table, '2026-11-19').textContent).toContain('bis Mittag')
    // Unapproved requests are not leave.
    expect(cell(table, '2026-11-25').textContent).not.toContain('Urlaub')
    expect([...new Set(searches)]).toEqual(['?from=2026-10-26&to=2027-01-31'])
    for (const meaning of ['Dein Dienst', 'Anfrage offen'])
      expect(screen.getAllByText(meaning)[0]).toBeTruthy()
  })

  it('hatches a day with an open request, which cannot be pressed, no more than what is over or has begun', async () => {
    wide()
    open()
    const table = await calendar()
    const day = cell(table, '2026-11-26')
    await waitFor(() => expect(day.textContent).toContain('Anfrage offen'))
    expect(within(day).queryByRole('button')).toBeNull()
    expect(within(cell(table, '2026-11-17')).queryByRole('button')).toBeNull()
    expect(within(cell(table, '2026-11-20')).queryByRole('button')).toBeNull()
    expect(within(cell(table, '2026-11-23')).getByRole('button')).toBeTruthy()
  })

  it('far away is asked for by itself', async () => {
    const searches: string[] = []
    server.use(
      http.get(url('/api/companies/c-1/schedule'), ({ request }) => {
        searches.push(new URL(request.url).search)
        return HttpResponse.json([])
      }),
    )
    wide()
    open('2026-10')
    await screen.findByText('Im Oktober 2026 hast du keinen Dienst.')
    await userEvent.click(screen.getByRole('button', { name: 'Heute' }))
    await calendar()
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await screen.findByText('Im Dezember 2026 hast du keinen Dienst.')
    expect(new Set(searches)).toEqual(
      new Set(['?from=2026-10-26&to=2027-01-31', '?from=2026-09-28&to=2026-11-01']),
    )
  })

  it('says where it failed, and can be asked for again', async () => {
    server.use(http.get(url('/api/companies/c-1/schedule'), () => refusal(500)))
    open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Deine Termine konnten nicht geladen werden.')
    server.use(http.get(url('/api/companies/c-1/schedule'), () => HttpResponse.json(DUTIES)))
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await card()
  })

  it('is there, too, without the requests and the leave, and says so quietly', async () => {
    server.use(
      http.get(url('/api/schedule/my-swap-requests'), () => refusal(500)),
      http.get(url('/api/vacation-requests/mine'), () => refusal(500)),
    )
    open()
    await screen.findByText('Offene Anfragen konnten nicht geladen werden.')
    await screen.findByText('Urlaub und Wunschfrei konnten nicht geladen werden.')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await card()).toBeTruthy()
  })

  it('is loaded anew when the service tells of a change', async () => {
    wide()
    open()
    const table = await calendar()
    await waitFor(() => expect(events.opened).toHaveLength(1))
    server.use(
      http.get(url('/api/companies/c-1/schedule'), () =>
        HttpResponse.json([...DUTIES, { ...DUTIES[0], id: 'n', date: '2026-11-28' }]),
      ),
    )
    events.opened[0]?.say({ type: 'plan_update' })
    await waitFor(() => expect(cell(table, '2026-11-28').textContent).toContain('Dienst'))
  })
})

describe('on a phone', () => {
  const day = (name: string) =>
    screen.getByText(name, { selector: 'time > .visually-hidden' }).closest('li') as HTMLElement

  it('the month is a list of days by week, the earlier ones folded away', async () => {
    open()
    await screen.findByText('Wunschfrei')
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getAllByRole('heading', { level: 3 }).map(head => head.textContent)).toEqual([
      'Diese Woche · 16.11.–22.11.',
      'Nächste Woche · 23.11.–29.11.',
      'KW\u00a049 · 30.11.–06.12.',
    ])
    expect(day('Freitag, 20. November').getAttribute('aria-current')).toBe('date')
    await userEvent.click(screen.getByRole('button', { name: '6 frühere Tage zeigen' }))
    expect(within(day('Montag, 2. November')).getByText('Dienst')).toBeTruthy()
    expect(within(day('Montag, 2. November')).queryByRole('button')).toBeNull()
    await waitFor(() => expect(day('Donnerstag, 26. November').textContent).toContain('Anfrage offen'))
    expect(within(day('Donnerstag, 26. November')).queryByRole('button')).toBeNull()
  })

  it('an empty month leads to the next duty', async () => {
    open('2027-01')
    await screen.findByText('Im Januar 2027 hast du keinen Dienst.')
    await userEvent.click(screen.getByRole('button', { name: 'Zum nächsten Dienst' }))
    await screen.findByRole('heading', { name: 'November 2026' })
    expect(document.activeElement?.textContent).toContain('Dienst')
  })
})

describe('handing a duty over', () => {
  it('is done in a dialog that says which duty it is about, and who can be asked', async () => {
    open()
    const dialog = await dialogOf()
    const inside = within(dialog)
    expect(inside.getByText('Schicke eine Übergabeanfrage an eine Kollegin/einen Kollegen.')).toBeTruthy()
    expect(inside.getByText(MONDAY)).toBeTruthy()
    expect(inside.getByText('07:00–15:30')).toBeTruthy()
    const field = inside.getByRole('combobox', { name: 'Empfänger*in auswählen' })
    expect(field.getAttribute('placeholder')).toBe('– Kollegin/Kollegen auswählen –')
    const options = await offered()
    expect(options.map(option => [option.textContent, option.getAttribute('aria-disabled')])).toEqual([
      ['Ben Kurz', null],
      ['Emre Yıldız', null],
      ['Clara Voss (nicht verfügbar)', 'true'],
    ])
    await userEvent.click(options[0] as HTMLElement)
    expect(inside.getByText('Ausgewählt: Ben Kurz')).toBeTruthy()
  })

  it('is sent, says so, closes after 900 ms, and hatches the day', async () => {
    const answer = held(() => HttpResponse.json(SENT, { status: 201 }))
    const got = answering(answer.answer)
    open()
    const dialog = await dialogOf()
    const button = within(dialog).getByRole('button', { name: 'Anfrage senden' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await choose('Emre Yıldız')
    expect(button.getAttribute('aria-disabled')).toBe('false')
    await send(dialog)
    await answer.asked
    const status = within(dialog).getByRole('status')
    expect(status.textContent).toBe('Sende Anfrage …')
    expect(button.textContent).toContain('Senden…')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    const closing = holdTimers(900)
    answer.release()
    await waitFor(() => expect(closing).toHaveLength(1))
    expect(status.textContent).toBe('Anfrage gesendet.')
    expect(screen.getByRole('dialog')).toBe(dialog)
    act(() => closing[0]?.())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(got).toEqual([{ date: '2026-11-23', from: 'u-1', to: 'u-6' }])
    expect(screen.queryByRole('button', { name: `Dienst am ${MONDAY} übergeben` })).toBeNull()
    const requests = within(screen.getByRole('region', { name: 'Offene Anfragen' }))
    expect(requests.getByText('an Emre Yıldız')).toBeTruthy()
    expect(await listOf('u-1')).toEqual([])
  })

  it('without a recipient is asked for one', async () => {
    open()
    const dialog = await dialogOf()
    await send(dialog)
    expect(within(dialog).getByRole('alert').textContent).toBe('Bitte Kollegin/Kollegen auswählen.')
    expect(document.activeElement).toBe(within(dialog).getByRole('combobox'))
    await choose('Ben Kurz')
    expect(within(dialog).queryByRole('alert')).toBeNull()
  })

  it.each([
    [409, 'Die ausgewählte Person ist an diesem Tag nicht verfügbar.'],
    [409, 'Für diesen Dienst ist bereits eine Übergabe angefragt.'],
    [404, 'An diesem Tag hast du keinen Dienst.'],
    [422, 'Dienste können nur an Mitarbeitende mit Rolle „user“ übergeben werden.'],
  ])('that is refused says what the service says: %s %s', async (status, message) => {
    answering(() => refusal(status, message))
    open()
    const dialog = await dialogOf()
    await choose('Ben Kurz')
    await send(dialog)
    expect((await within(dialog).findByRole('alert')).textContent).toBe(message)
    expect(within(dialog).getByText('Ausgewählt: Ben Kurz')).toBeTruthy()
    expect(await listOf('u-1')).toEqual([])
  })

  it('that is refused without a word says the status', async () => {
    answering(() => new HttpResponse(null, { status: 418 }))
    open()
    const dialog = await dialogOf()
    await choose('Ben Kurz')
    await send(dialog)
    expect((await within(dialog).findByRole('alert')).textContent).toContain('HTTP 418')
  })

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['Abbrechen', () => userEvent.click(screen.getByRole('button', { name: 'Abbrechen' }))],
  ])('is left by %s, and begins anew when it is opened again', async (_how, leave) => {
    open()
    await dialogOf()
    await choose('Ben Kurz')
    await leave()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const reopened = await dialogOf()
    expect(within(reopened).queryByText('Ausgewählt: Ben Kurz')).toBeNull()
    expect(within(reopened).queryByRole('alert')).toBeNull()
  })

  it('shows everybody but oneself where nobody says who is available', async () => {
    server.use(http.get(url('/api/schedule/swap-candidates'), () => refusal(500)))
    open()
    const dialog = await dialogOf()
    await within(dialog).findByText('Wer an diesem Tag verfügbar ist, konnte nicht geladen werden.')
    expect((await offered()).map(option => option.textContent)).toEqual([
      'Ben Kurz',
      'Clara Voss',
      'Emre Yıldız',
    ])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Erneut versuchen' }))
  })

  it('says so where nobody is there, or nobody is available', async () => {
    server.use(http.get(url('/api/schedule/swap-candidates'), () => HttpResponse.json([])))
    open()
    const dialog = await dialogOf(FRIDAY)
    expect(within(dialog).getByText('Es gibt niemanden, der den Dienst übernehmen könnte.')).toBeTruthy()
    server.use(
      http.get(url('/api/schedule/swap-candidates'), () =>
        HttpResponse.json(CANDIDATES.map(candidate => ({ ...candidate, available: false }))),
      ),
    )
    await userEvent.keyboard('{Escape}')
    const otherDialog = await dialogOf()
    expect(await within(otherDialog).findByText('An diesem Tag ist niemand verfügbar.')).toBeTruthy()
  })
})

describe('without the service', () => {
  const item = (more: Partial<Unsent> = {}): Unsent => ({
    id: 'k-1',
    userId: 'u-1',
    username: 'Mia Sommer',
    kind: 'handoff',
    path: '/api/schedule/swap-request',
    body: { date: '2026-11-23', from: 'u-1', to: 'u-4' },
    createdAt: Date.parse('2026-11-20T09:00:00Z'),
    refusal: null,
    ...more,
  })

  it('a hand-over is kept on the device, and the day waits', async () => {
    wide()
    open()
    const table = await calendar()
    await waitFor(() => expect(within(cell(table, '2026-11-23')).getByRole('button')).toBeTruthy())
    await screen.findByText('an Ben Kurz')
    server.use(http.all(url('/api/*'), () => HttpResponse.error()))
    act(() => reportUnreachable())
    const dialog = await dialogOf()
    expect(
      within(dialog).getByText('Wer an diesem Tag verfügbar ist, zeigt sich erst mit Verbindung.'),
    ).toBeTruthy()
    await choose('Clara Voss')
    await send(dialog)
    await success('Gespeichert. Wird gesendet, sobald der Server antwortet.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const day = cell(table, '2026-11-23')
    expect(day.textContent).toContain('wird gesendet')
    expect(within(day).queryByRole('button')).toBeNull()
    const requests = within(screen.getByRole('region', { name: 'Offene Anfragen' }))
    expect(await requests.findByText('Übergabeanfrage für Montag, 23. November an Clara Voss')).toBeTruthy()
    expect((await listOf('u-1')).map(({ body }) => body)).toEqual([
      { date: '2026-11-23', from: 'u-1', to: 'u-5' },
    ])
  })

  it('the plan that was read last is shown, with its age', async () => {
    const duties = [{ id: 'd', date: '2026-11-24', start: null, end: null }]
    await keep(
      'u-1',
      'schedule/ahead',
      { from: '2026-10-26', to: '2027-01-31', duties },
      Date.parse('2026-11-19T16:30:00Z'),
    )
    server.use(http.all(url('/api/*'), () => HttpResponse.error()))
    open()
    expect((await card()).textContent).toContain('Dienstag, 24. November')
    await screen.findByText('Stand vom 19. November, 17:30 Uhr.')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('what was refused later is said, and can be sent anew with another recipient', async () => {
    const sentence = 'Die ausgewählte Person ist an diesem Tag nicht verfügbar.'
    await put(item({ refusal: { status: 409, code: 'not_available', sentence, fields: {} } }))
    stops.push(keepSending(() => {}))
    open()
    const notice = (
      await screen.findByText('Nicht angenommen: Übergabeanfrage für Montag, 23. November an Ben Kurz')
    ).closest('[role=status]') as HTMLElement
    expect(notice.textContent).toContain(sentence)
    expect(await handOver(MONDAY)).toBeTruthy()
    await userEvent.click(within(notice).getByRole('button', { name: 'Noch einmal bearbeiten' }))
    const dialog = await screen.findByRole('dialog', { name: 'Dienst übergeben' })
    expect(await within(dialog).findByText('Ausgewählt: Ben Kurz')).toBeTruthy()
    expect(within(dialog).getByText(MONDAY)).toBeTruthy()
    await waitFor(async () => expect(await listOf('u-1')).toEqual([]))
  })
})

describe('taking a request back', () => {
  const ask = async () => {
    open()
    await userEvent.click(
      await screen.findByRole('button', { name: 'Zurückziehen: Donnerstag, 26. November, an Ben Kurz' }),
    )
    return screen.findByRole('dialog', { name: 'Anfrage zurückziehen?' })
  }

  it('is asked for, and done', async () => {
    const withdrawnIds: string[] = []
    server.use(
      http.delete(url('/api/schedule/swap-requests/:id'), ({ params }) => {
        withdrawnIds.push(`${params.id}`)
        server.use(http.get(url('/api/schedule/my-swap-requests'), () => HttpResponse.json([])))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const dialog = await ask()
    expect(dialog.textContent).toContain('Der Dienst am Donnerstag, 26. November bleibt deiner.')
    expect(withdrawnIds).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Zurückziehen' }))
    await success('Anfrage zurückgezogen.')
    expect(withdrawnIds).toEqual(['s-1'])
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Offene Anfragen' })).toBeNull())
    expect(await handOver('Donnerstag, 26. November 2026')).toBeTruthy()
  })

  it('says why not', async () => {
    server.use(
      http.delete(url('/api/schedule/swap-requests/:id'), () =>
        refusal(409, 'Über diese Anfrage wurde bereits entschieden.'),
      ),
    )
    const dialog = await ask()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Zurückziehen' }))
    expect((await within(dialog).findByRole('alert')).textContent).toContain(
      'Über diese Anfrage wurde bereits entschieden.',
    )
  })
})

describe('the calendar address', () => {
  const region = () => screen.findByRole('region', { name: 'Dienste im eigenen Kalender' })
  const ADDRESS = 'https://zeit.example/api/calendar/geheim.ics'
  const creating = () =>
    server.use(
      http.post(url('/api/calendar-address'), () => HttpResponse.json({ url: ADDRESS }, { status: 201 })),
    )

  it('is created, and shown this once', async () => {
    creating()
    open()
    const place = within(await region())
    await userEvent.click(await place.findByRole('button', { name: 'Adresse erstellen' }))
    expect((await place.findByText(ADDRESS)).tagName).toBe('CODE')
    expect(place.getByText('Das ist deine Kalenderadresse. Sie wird nur jetzt gezeigt.')).toBeTruthy()
    expect(place.getByRole('link', { name: 'In Kalender-App öffnen' }).getAttribute('href')).toBe(
      'webcal://zeit.example/api/calendar/geheim.ics',
    )
    expect(place.getByText('Aktiv seit 20. November 2026')).toBeTruthy()
    expect(place.queryByRole('button', { name: 'Adresse erstellen' })).toBeNull()
  })

  it('is renewed once that is confirmed', async () => {
    server.use(
      http.get(url('/api/calendar-address'), () =>
        HttpResponse.json({ active: true, createdAt: '2026-11-03T23:30:00Z' }),
      ),
    )
    creating()
    open()
    const place = within(await region())
    await place.findByText('Aktiv seit 4. November 2026')
    await userEvent.click(await place.findByRole('button', { name: 'Neue Adresse' }))
    const dialog = await screen.findByRole('dialog', { name: 'Neue Kalenderadresse erstellen?' })
    expect(dialog.textContent).toContain('Die bisherige Adresse gilt sofort nicht mehr.')
    expect(place.queryByText(ADDRESS)).toBeNull()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Neue Adresse' }))
    await place.findByText(ADDRESS)
  })

  it('is ended once that is confirmed', async () => {
    server.use(
      http.get(url('/api/calendar-address'), () => HttpResponse.json({ active: true, createdAt: null })),
      http.delete(url('/api/calendar-address'), () => new HttpResponse(null, { status: 204 })),
    )
    open()
    const place = within(await region())
    await place.findByText('Aktiv')
    await userEvent.click(await place.findByRole('button', { name: 'Adresse aufheben' }))
    const dialog = await screen.findByRole('dialog', { name: 'Kalenderadresse aufheben?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Adresse aufheben' }))
    await success('Kalenderadresse aufgehoben.')
    await place.findByRole('button', { name: 'Adresse erstellen' })
  })

  it.each([
    ['not read', 'get', 'Ob du eine Kalenderadresse hast, konnte nicht geladen werden.'],
    ['not created', 'post', 'Die Adresse konnte nicht erstellt werden.'],
  ] as const)('that is %s says so', async (_what, method, sentence) => {
    server.use(http[method](url('/api/calendar-address'), () => refusal(400, 'Nein.')))
    open()
    const place = within(await region())
    if (method === 'post')
      await userEvent.click(await place.findByRole('button', { name: 'Adresse erstellen' }))
    expect((await place.findByRole('alert')).textContent).toContain(sentence)
  })
})

it('fetches the dialog when somebody comes near', async () => {
  open()
  await card()
  fireEvent.pointerOver(await handOver(MONDAY))
  expect(screen.queryByRole('dialog')).toBeNull()
})
