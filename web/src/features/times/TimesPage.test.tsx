import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, type Events, layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { entry, held, logInAs, never, refusal, serve, server, timesAnswer, url } from '../../../tests/server'
import { isReachable, reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { keep, recall, wipe } from '../../offline/snapshots'
import { TimesPage } from './TimesPage'

let events: Events

serve()
beforeEach(async () => {
  reload()
  logInAs()
  reportReached()
  await wipe()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
  events = layEvents()
})
afterEach(() => {
  reportReached()
})

function Page({ start = '2026-11' }: { start?: string }) {
  const [month, setMonth] = useState(start)
  return <TimesPage userId="u-1" month={month} onMonth={setMonth} />
}

const DAY = entry('2026-11-19', '07:02', '16:01', {
  workedMinutesRaw: 539,
  workedMinutesNet: 509,
  breakMinutes: 30,
})
const PLAIN = entry('2026-11-18', '07:00', '12:00', {
  workedMinutesRaw: 300,
  workedMinutesNet: 300,
  breakMinutes: 0,
})
const RUNNING = entry('2026-11-20', '07:58', null, { running: true })

/** The visible text, without text for screen readers. */
function visibleText(part: Element): string {
  const copy = part.cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('.visually-hidden')) hidden.remove()
  return (copy.textContent ?? '').trim()
}

const NOVEMBER = { name: 'Zeiten im November 2026' }
const list = () => screen.findByRole('list', NOVEMBER)

/** A day of the list, by its heading. */
async function day(name: string) {
  await list()
  return screen.getByRole('heading', { name }).closest('li') as HTMLElement
}

/** The visible table, row by row, heads first. */
async function rows() {
  const table = await screen.findByRole('table', NOVEMBER)
  return [...table.querySelectorAll('tr')].map(row => [...row.cells].map(visibleText))
}

const sums = () => within(screen.getByRole('region', { name: 'Monatssumme' }))

describe('the month', () => {
  it('asks for its first to its last day and shows days, times, presence, deduction and working time', async () => {
    let search = ''
    server.use(
      http.get(url('/api/users/u-1/times'), ({ request }) => {
        search = new URL(request.url).search
        return HttpResponse.json([DAY])
      }),
    )
    wide()
    renderPage(<Page />)
    expect(await rows()).toEqual([
      ['Tag', 'Kommen – Gehen', 'Anwesenheit', 'Abzug', 'Arbeitszeit', ''],
      ['Do 19.11.', '07:02–16:01', '8h 59m', '0h 30m', '8h 29m', ''],
    ])
    expect(search).toBe('?from=2026-11-01&to=2026-11-30')
    expect(screen.getByRole('rowheader').textContent).toContain('Donnerstag, 19. November')
    expect(sums().getByText('8h 59m').nextElementSibling?.textContent).toBe('8 Stunden 59 Minuten')
    expect(sums().getByText('8h 29m')).toBeTruthy()
    expect(sums().getByText('Alles gestempelt an der Uhr „Werkstatt“.')).toBeTruthy()
  })

  it('has no columns in which nothing differs', async () => {
    server.use(timesAnswer([PLAIN]))
    wide()
    renderPage(<Page />)
    expect(await rows()).toEqual([
      ['Tag', 'Kommen – Gehen', 'Arbeitszeit', ''],
      ['Mi 18.11.', '07:00–12:00', '5h 00m', ''],
    ])
  })

  const SEVERAL = [
    PLAIN,
    entry('2026-11-18', '12:45', '17:00', {
      workedMinutesRaw: 255,
      workedMinutesNet: 240,
      breakMinutes: 15,
      clockName: 'Lager',
    }),
    { ...DAY, source: 'correction' as const, clockName: null },
  ]

  it('sums up a day of several entries above them, and says where one was stamped if not as usual', async () => {
    server.use(timesAnswer([...SEVERAL, { ...PLAIN, id: 'e-9', date: '2026-11-20' }]))
    wide()
    renderPage(<Page />)
    expect(await rows()).toEqual([
      ['Tag', 'Kommen – Gehen', 'Pause', 'Anwesenheit', 'Abzug', 'Arbeitszeit', 'Hinweise', ''],
      ['Fr 20.11.', '07:00–12:00', '–', '5h 00m', '–', '5h 00m', '', ''],
      ['Do 19.11.', '07:02–16:01', '–', '8h 59m', '0h 30m', '8h 29m', 'Korrektur', ''],
      ['Mi 18.11.', '2 Einträge', '0h 45m', '9h 15m', '0h 15m', '9h 00m', '', ''],
      ['07:00–12:00', '0h 45m', '5h 00m', '–', '5h 00m', '', ''],
      ['12:45–17:00', '–', '4h 15m', '0h 15m', '4h 00m', 'Lager', ''],
    ])
    const totals = [...document.querySelectorAll('td.total')].map(visibleText)
    expect(totals).toEqual(['5h 00m', '8h 29m', '9h 00m'])
    expect(screen.getByText('Tagessumme', { exact: false }).parentElement).toBe(
      document.querySelectorAll('td.total')[2],
    )
    const usual = 'Gestempelt an der Uhr „Werkstatt“, wo nichts anderes steht.'
    expect(sums().getByText(usual)).toBeTruthy()
  })

  it('is a list of days on a phone, a line an entry', async () => {
    server.use(timesAnswer([...SEVERAL, { ...PLAIN, id: 'e-9', date: '2026-11-20' }]))
    renderPage(<Page />)
    expect([...(await list()).children].map(line => visibleText(line))).toEqual([
      'Fr 20.11.07:00–12:005h 00m',
      'Do 19.11.07:02–16:01−0h 30m8h 29mKorrektur',
      'Mi 18.11.2 EinträgePause 0h 45mAbzug 0h 15m9h 00m07:00–12:005h 00m12:45–17:004h 00mLager',
    ])
    const short = within(await day('Donnerstag, 19. November')).getByText('−0h 30m')
    expect(short.nextElementSibling?.textContent).toBe('−30 Minuten')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it.each([
    ['table', true],
    ['list', false],
  ])('says in words what is missing, and explains a flag at a press, as %s', async (_look, broad) => {
    const missing = { workedMinutesNet: null, workedMinutesRaw: null, breakMinutes: null }
    server.use(timesAnswer([PLAIN, { ...DAY, ...missing, end: null, flags: ['missing_out'] }]))
    if (broad) wide()
    renderPage(<Page />)
    await (broad ? screen.findByRole('table') : list())
    const badge = screen.getByRole('button', { name: 'Gehen fehlt' })
    expect(screen.getAllByText('Gehen fehlt')).toHaveLength(2)
    expect(badge.getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByText(/Zu diesem Kommen gibt es kein Gehen/)).toBeNull()
    await userEvent.click(badge)
    expect(screen.getByText(/Zu diesem Kommen gibt es kein Gehen/).getAttribute('role')).toBe('status')
    expect(badge.getAttribute('aria-expanded')).toBe('true')
    await userEvent.click(badge)
    expect(screen.queryByText(/Zu diesem Kommen gibt es kein Gehen/)).toBeNull()
  })

  it.each([
    ['table', true],
    ['list', false],
  ])('counts what is incomplete, and leads to its days, as %s', async (_look, broad) => {
    server.use(timesAnswer([entry('2026-11-17', '07:00', null), PLAIN, entry('2026-11-19', null, '16:00')]))
    if (broad) wide()
    const { where } = renderPage(<Page />, '/app?monat=2026-11')
    const notice = await screen.findByText(/2 unvollständige Einträge zählen noch nicht\./)
    const links = within(notice).getAllByRole('link')
    expect(links.map(link => link.textContent)).toEqual(['Zum Do 19.11.', 'Zum Di 17.11.'])
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    await userEvent.click(links[1] as HTMLElement)
    expect(document.activeElement?.textContent).toContain('Dienstag, 17. November')
    expect(scroll.mock.contexts).toEqual([document.activeElement])
    expect(where()).toBe('/app?monat=2026-11')
  })

  it.each([
    ['table', true],
    ['list', false],
  ])('keeps a night together and marks what lies on the next day, as %s', async (_look, broad) => {
    server.use(
      timesAnswer([
        entry('2026-11-18', '21:56', '01:53', { workedMinutesRaw: 237, workedMinutesNet: 237 }),
        entry('2026-11-19', '02:36', '06:00', { workedMinutesRaw: 204, workedMinutesNet: 204 }),
      ]),
    )
    if (broad) wide()
    renderPage(<Page />)
    const night = broad
      ? ((await screen.findAllByRole('rowgroup'))[1] as HTMLElement)
      : await day('Mittwoch, 18. November')
    expect(night.textContent).toContain('Mittwoch, 18. November')
    expect(within(night).getByText('7h 21m')).toBeTruthy()
    const words = [...night.querySelectorAll('time')].map(time => [
      time.textContent,
      time.nextElementSibling?.textContent ?? '',
      time.nextElementSibling?.nextElementSibling?.textContent?.trim() ?? '',
    ])
    expect(words).toEqual([
      ['21:56', '–', 'Gehen'],
      ['01:53', '+1', 'am Folgetag'],
      ['02:36', '+1', 'am Folgetag'],
      ['06:00', '+1', 'am Folgetag'],
    ])
    expect(sums().getByText('Arbeitstage').nextElementSibling?.textContent).toBe('1')
    expect(screen.queryByText('Donnerstag, 19. November')).toBeNull()
  })

  it('shows what runs, for how long', async () => {
    server.use(timesAnswer([RUNNING]))
    renderPage(<Page />)
    const card = await screen.findByRole('region', { name: 'Eingestempelt' })
    expect(card.textContent).toContain('seit 07:58 Uhr an der Uhr „Werkstatt“')
    expect(within(card).getByText('3h 12m')).toBeTruthy()
    expect(within(card).queryByText('zuletzt bekannt')).toBeNull()
  })

  it('shows what runs since before midnight also in the month that has begun since', async () => {
    vi.setSystemTime(new Date('2026-12-01T00:30:00Z'))
    server.use(
      http.get(url('/api/users/u-1/times'), ({ request }) => {
        const november = new URL(request.url).searchParams.get('from') === '2026-11-01'
        return HttpResponse.json(november ? [entry('2026-11-30', '22:00', null, { running: true })] : [])
      }),
    )
    renderPage(<Page start="2026-12" />)
    const card = await screen.findByRole('region', { name: 'Eingestempelt' })
    expect(card.textContent).toContain('seit Montag, 30. November, 22:00 Uhr')
    expect(within(card).getByText('3h 30m')).toBeTruthy()
  })

  it('changes by the picker', async () => {
    const fromDays: (string | null)[] = []
    server.use(
      http.get(url('/api/users/u-1/times'), ({ request }) => {
        fromDays.push(new URL(request.url).searchParams.get('from'))
        return HttpResponse.json([])
      }),
    )
    renderPage(<Page start="2026-10" />)
    await screen.findByText('Im Oktober 2026 hast du nicht gestempelt.')
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await screen.findByText('Im November 2026 hast du noch nicht gestempelt.')
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await screen.findByText('Der Dezember 2026 liegt noch vor dir.')
    expect([...new Set(fromDays)]).toEqual(['2026-10-01', '2026-11-01', '2026-12-01'])
  })
})

describe('a change at the clock', () => {
  /** Once the page shows it. */
  const opened = async () => {
    await screen.findByText('Aktualisiert sich von selbst')
    return events.opened[0] as Connection
  }

  it('appears by itself', async () => {
    let entries = [DAY]
    server.use(http.get(url('/api/users/u-1/times'), () => HttpResponse.json(entries)))
    renderPage(<Page />)
    await list()
    const connection = await opened()
    entries = [DAY, RUNNING]
    connection.say({ type: 'times_update' })
    await screen.findByRole('region', { name: 'Eingestempelt' })
  })

  it('appears also if it is told while the month is still being loaded', async () => {
    const previousMonth = held(() => HttpResponse.json([DAY]))
    const answers = [previousMonth.answer]
    server.use(
      http.get(url('/api/users/u-1/times'), () => answers.shift()?.() ?? HttpResponse.json([DAY, RUNNING])),
    )
    renderPage(<Page />)
    await previousMonth.asked
    await waitFor(() => expect(events.opened).toHaveLength(1))
    events.opened[0]?.say({ type: 'times_update' })
    previousMonth.release()
    await screen.findByRole('region', { name: 'Eingestempelt' })
  })

  it('that another event tells of is none', async () => {
    let calls = 0
    server.use(
      http.get(url('/api/users/u-1/times'), () => {
        calls += 1
        return HttpResponse.json([DAY])
      }),
    )
    const { queries } = renderPage(<Page />)
    await list()
    const connection = await opened()
    await waitFor(() => expect(queries.isFetching()).toBe(0))
    const callsBefore = calls
    connection.say({ type: 'log' })
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    await waitFor(() => expect(calls).toBe(callsBefore + 1))
  })

  it('is no longer listened for once the page is left', async () => {
    server.use(timesAnswer([]))
    const { unmount } = renderPage(<Page />)
    const connection = await opened()
    unmount()
    await eventually(() => expect(connection.closed).toBe(true))
  })
})

describe('without the service', () => {
  const goOffline = () => server.use(http.all(url('/api/*'), () => HttpResponse.error()))

  const retries = () =>
    screen.queryAllByRole('button', { name: /Aktualisieren|Erneut/ }).map(button => button.textContent)

  it('the month that was read last is shown, with its age', async () => {
    await keep('u-1', 'times/2026-11', [DAY], Date.parse('2026-11-19T16:30:00Z'))
    goOffline()
    renderPage(<Page />)
    await list()
    await screen.findByText('Stand vom 19. November, 17:30 Uhr.')
    expect(isReachable()).toBe(false)
    expect(screen.queryByText('Aktualisiert sich von selbst')).toBeNull()
    expect(retries()).toEqual(['Aktualisieren'])
  })

  it('somebody else’s month is not', async () => {
    await keep('u-2', 'times/2026-11', [DAY], 1)
    goOffline()
    renderPage(<Page />)
    await screen.findByText('Dieser Monat ist auf diesem Gerät noch nicht gespeichert.')
    expect(screen.getByText('Keine Verbindung zum Server.')).toBeTruthy()
    expect(screen.queryByText('Donnerstag, 19. November')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    // It refetches automatically once the service is back; the button is for the impatient.
    expect(retries()).toEqual(['Aktualisieren'])
    expect(screen.queryByText(/Gezeigt wird/)).toBeNull()
    // The device keeps that person's own page afterwards, and shows it only there.
    const { container } = renderPage(<TimesPage userId="u-2" month="2026-11" onMonth={() => undefined} />)
    await within(container).findByText('Donnerstag, 19. November')
    expect(screen.getAllByText('Donnerstag, 19. November')).toHaveLength(1)
  })

  it('a month that came to nothing, from a service that is there, says so and can be asked for again', async () => {
    server.use(
      http.get(url('/api/health'), () => HttpResponse.json({})),
      http.get(url('/api/users/u-1/times'), () => HttpResponse.error()),
    )
    renderPage(<Page />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Deine Zeiten konnten nicht geladen werden.')
    expect(retries()).toEqual(['Erneut versuchen'])
  })

  const SAVED = Date.parse('2026-11-20T09:00:30Z')

  it.each([
    ['it is out of reach', () => HttpResponse.error()],
    ['it has not answered yet', never],
  ])('what ran is as it was last known, while %s', async (_why, answer) => {
    await keep('u-1', 'times/2026-11', [RUNNING], SAVED)
    server.use(http.all(url('/api/*'), answer))
    renderPage(<Page />)
    const card = within(await screen.findByRole('region', { name: 'Eingestempelt' }))
    expect(card.getByText('zuletzt bekannt')).toBeTruthy()
    expect(card.getByText('2h 02m')).toBeTruthy()
  })

  it('what ran stands still when it goes, and goes on when it is back', async () => {
    server.use(timesAnswer([RUNNING]))
    renderPage(<Page />)
    const card = within(await screen.findByRole('region', { name: 'Eingestempelt' }))
    expect(card.queryByText('zuletzt bekannt')).toBeNull()
    act(() => reportUnreachable())
    expect(card.getByText('zuletzt bekannt')).toBeTruthy()
    expect(screen.queryByText('Aktualisiert sich von selbst')).toBeNull()
    act(() => reportReached())
    expect(card.queryByText('zuletzt bekannt')).toBeNull()
  })

  it('what is answered is kept for the next time', async () => {
    server.use(timesAnswer([DAY]))
    renderPage(<Page />)
    await list()
    await waitFor(async () =>
      expect(await recall('u-1', 'times/2026-11')).toMatchObject({ data: [DAY], savedAt: Date.now() }),
    )
  })

  it('it loads again by itself once the service is back', async () => {
    goOffline()
    renderPage(<Page />)
    await screen.findByText('Dieser Monat ist auf diesem Gerät noch nicht gespeichert.')
    expect(isReachable()).toBe(false)
    server.use(
      timesAnswer([DAY]),
      http.get(url('/api/time-corrections/mine'), () => HttpResponse.json([])),
    )
    act(() => reportReached())
    await list()
    expect(screen.queryByText('Keine Verbindung zum Server.')).toBeNull()
  })
})

describe('an answer that is no answer', () => {
  it('is said where it happened, and can be tried again', async () => {
    server.use(http.get(url('/api/users/u-1/times'), () => refusal(500, 'Interner Fehler.')))
    renderPage(<Page />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Deine Zeiten konnten nicht geladen werden.')
    expect(alert.textContent).toContain('Interner Fehler.')
    server.use(timesAnswer([DAY]))
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await list()
  })

  it('leaves what was there, and says that it is old', async () => {
    server.use(timesAnswer([DAY]))
    renderPage(<Page />)
    await list()
    server.use(http.get(url('/api/users/u-1/times'), () => refusal(500)))
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    await screen.findByText('Das Aktualisieren hat nicht geklappt.')
    expect(screen.getByText('Auf dem Server ist ein Fehler aufgetreten. (HTTP 500)')).toBeTruthy()
    expect(await list()).toBeTruthy()
  })
})
