import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, type Events, layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { entry, held, logInAs, refusal, serve, server, timesAnswer, url } from '../../../tests/server'
import { isReachable, reportReached } from '../../api/connectivity'
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
  vi.useRealTimers()
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
const RUNNING = entry('2026-11-20', '07:58', null, { running: true })

describe('the month', () => {
  it('asks for its first to its last day and shows days, times, break, net and raw', async () => {
    let asked = ''
    server.use(
      http.get(url('/api/users/u-1/times'), ({ request }) => {
        asked = new URL(request.url).search
        return HttpResponse.json([DAY])
      }),
    )
    wide()
    renderPage(<Page />)
    const table = await screen.findByRole('table', { name: 'Zeiten im November 2026' })
    expect(asked).toBe('?from=2026-11-01&to=2026-11-30')
    const row = within(table).getAllByRole('row')[1] as HTMLElement
    expect(within(row).getByRole('rowheader').textContent).toContain('Donnerstag, 19. November')
    for (const text of ['07:02', '16:01', '−0h 30m', '8h 59m', '8h 29m', 'Werkstatt']) {
      expect(within(row).getByText(text)).toBeTruthy()
    }
    expect(within(screen.getByRole('region', { name: 'Monatssumme' })).getByText('8h 29m')).toBeTruthy()
  })

  it('is a list of days on a phone, with the flags’ explanations in the open', async () => {
    server.use(
      timesAnswer([
        {
          ...DAY,
          end: null,
          workedMinutesNet: null,
          workedMinutesRaw: null,
          breakMinutes: null,
          flags: ['missing_out'],
        },
      ]),
    )
    renderPage(<Page />)
    const day = await screen.findByRole('article')
    expect(within(day).getByRole('heading', { name: 'Donnerstag, 19. November' })).toBeTruthy()
    expect(within(day).getAllByText('Gehen fehlt').length).toBeGreaterThan(0)
    expect(within(day).getByText(/Zu diesem Kommen gibt es kein Gehen/)).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByText('1 unvollständiger Eintrag zählt noch nicht.')).toBeTruthy()
  })

  it.each([
    ['table', true],
    ['cards', false],
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
      : await screen.findByRole('article')
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
    const days = within(screen.getByRole('region', { name: 'Monatssumme' })).getByText('Arbeitstage')
    expect(days.nextElementSibling?.textContent).toBe('1')
    expect(screen.queryByText('Donnerstag, 19. November')).toBeNull()
  })

  it('shows what runs, for how long', async () => {
    server.use(timesAnswer([RUNNING]))
    renderPage(<Page />)
    const card = await screen.findByRole('region', { name: 'Eingestempelt' })
    expect(card.textContent).toContain('seit 07:58 Uhr an der Uhr „Werkstatt“')
    expect(within(card).getByText('3h 12m')).toBeTruthy()
  })

  it('changes by the picker', async () => {
    const asked: (string | null)[] = []
    server.use(
      http.get(url('/api/users/u-1/times'), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('from'))
        return HttpResponse.json([])
      }),
    )
    renderPage(<Page start="2026-10" />)
    await screen.findByText('Im Oktober 2026 hast du nicht gestempelt.')
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await screen.findByText('Im November 2026 hast du noch nicht gestempelt.')
    await userEvent.click(screen.getByRole('button', { name: 'Nächster Monat' }))
    await screen.findByText('Der Dezember 2026 liegt noch vor dir.')
    expect([...new Set(asked)]).toEqual(['2026-10-01', '2026-11-01', '2026-12-01'])
  })
})

describe('a change at the clock', () => {
  /** Once the page says so. */
  const opened = async () => {
    await screen.findByText('Aktualisiert sich von selbst')
    return events.opened[0] as Connection
  }

  it('appears by itself', async () => {
    let entries = [DAY]
    server.use(http.get(url('/api/users/u-1/times'), () => HttpResponse.json(entries)))
    renderPage(<Page />)
    await screen.findByRole('article')
    const connection = await opened()
    entries = [DAY, RUNNING]
    connection.say({ type: 'times_update' })
    await screen.findByRole('region', { name: 'Eingestempelt' })
  })

  it('appears also if it is told while the month is still being loaded', async () => {
    const before = held(() => HttpResponse.json([DAY]))
    const answers = [before.answer]
    server.use(
      http.get(url('/api/users/u-1/times'), () => answers.shift()?.() ?? HttpResponse.json([DAY, RUNNING])),
    )
    renderPage(<Page />)
    await before.asked
    await waitFor(() => expect(events.opened).toHaveLength(1))
    events.opened[0]?.say({ type: 'times_update' })
    before.release()
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
    await screen.findByRole('article')
    const connection = await opened()
    await waitFor(() => expect(queries.isFetching()).toBe(0))
    const before = calls
    connection.say({ type: 'log' })
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    await waitFor(() => expect(calls).toBe(before + 1))
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
  const gone = () => server.use(http.all(url('/api/*'), () => HttpResponse.error()))

  const retries = () =>
    screen.getAllByRole('button', { name: /Aktualisieren|Erneut/ }).map(button => button.textContent)

  it('the month that was read last is shown, with its age', async () => {
    await keep('u-1', 'times/2026-11', [DAY], Date.parse('2026-11-19T16:30:00Z'))
    gone()
    renderPage(<Page />)
    await screen.findByRole('article')
    await screen.findByText('Stand vom 19. November, 17:30 Uhr.')
    expect(isReachable()).toBe(false)
    expect(retries()).toEqual(['Aktualisieren'])
  })

  it('somebody else’s month is not', async () => {
    await keep('u-2', 'times/2026-11', [DAY], 1)
    gone()
    renderPage(<Page />)
    await screen.findByText('Dieser Monat ist auf diesem Gerät noch nicht gespeichert.')
    expect(screen.queryByRole('article')).toBeNull()
    expect(retries()).toEqual(['Erneut versuchen'])
  })

  it('what is answered is kept for the next time', async () => {
    server.use(timesAnswer([DAY]))
    renderPage(<Page />)
    await screen.findByRole('article')
    await waitFor(async () =>
      expect(await recall('u-1', 'times/2026-11')).toMatchObject({ data: [DAY], savedAt: Date.now() }),
    )
  })

  it('it loads again by itself once the service is back', async () => {
    gone()
    renderPage(<Page />)
    await screen.findByText('Deine Zeiten konnten nicht geladen werden.')
    await waitFor(() => expect(isReachable()).toBe(false))
    server.use(timesAnswer([DAY]))
    act(() => reportReached())
    await screen.findByRole('article')
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
    await screen.findByRole('article')
  })

  it('leaves what was there, and says that it is old', async () => {
    server.use(timesAnswer([DAY]))
    renderPage(<Page />)
    await screen.findByRole('article')
    server.use(http.get(url('/api/users/u-1/times'), () => refusal(500)))
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    await screen.findByText('Das Aktualisieren hat nicht geklappt.')
    expect(screen.getByText('Auf dem Server ist ein Fehler aufgetreten. (HTTP 500)')).toBeTruthy()
    expect(screen.getByRole('article')).toBeTruthy()
  })
})
