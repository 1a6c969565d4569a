import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { renderPage } from '../../../tests/page'
import { logInAs, never, refusal, serve, server, url } from '../../../tests/server'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { wipe } from '../../offline/snapshots'
import { BalancePage } from './BalancePage'
import { entries, november, year } from './samples'
import type { MonthAccount, TimeEntry, YearAccount } from './useAccount'

serve()

let events: Events
beforeEach(async () => {
  reload()
  reportReached()
  events = layEvents()
  await wipe()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
  logInAs()
})

interface Laid {
  month?: (month: string) => Response | MonthAccount
  year?: () => Response | YearAccount
  times?: () => Response | readonly TimeEntry[]
}

/** The requested queries, in order. */
function lay(laid: Laid = {}) {
  const searches: string[] = []
  const answer = (body: unknown) => (body instanceof Response ? body : HttpResponse.json(body as object))
  server.use(
    http.get(url('/api/users/u-1/account'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      searches.push(`${searchParams}`)
      const month = searchParams.get('month')
      if (month === null) return answer(laid.year?.() ?? year)
      return answer(laid.month?.(month) ?? { ...november, month })
    }),
    http.get(url('/api/users/u-1/times'), () => answer(laid.times?.() ?? entries)),
  )
  return searches
}

function Page({ month: first = '2026-11' }: { month?: string }) {
  const [month, setMonth] = useState(first)
  return <BalancePage userId="u-1" month={month} onMonth={setMonth} />
}

const row = (name: string | RegExp) => screen.getByRole('row', { name })
const unfold = async (name: string) => {
  const button = await screen.findByRole('button', { name })
  await userEvent.click(button)
  expect(button).toHaveProperty('ariaExpanded', 'true')
  const panel = document.getElementById(button.getAttribute('aria-controls') ?? '')
  return within(panel as HTMLElement)
}

describe('the head', () => {
  it.each([
    [445, '+7h 25m', 'Überstunden'],
    [0, '0h 00m', 'ausgeglichen'],
    [-200, '−3h 20m', 'Minusstunden'],
  ])('says %i minutes as %s %s', async (balanceToDateMinutes, figure, word) => {
    lay({ month: () => ({ ...november, balanceToDateMinutes }) })
    renderPage(<Page />)
    expect((await screen.findByText(word)).parentElement?.textContent).toContain(figure)
  })

  it('speaks of the end of a month that is over', async () => {
    lay({
      month: month => ({
        ...november,
        month,
        targetToDateMinutes: november.targetMinutes,
        balanceToDateMinutes: november.carriedMinutes + november.balanceMinutes,
      }),
    })
    renderPage(<Page month="2026-10" />)
    expect(await screen.findByText('Saldo Ende Oktober 2026')).toBeDefined()
    expect(screen.queryByText('bis heute')).toBeNull()
  })
})

describe('the account of who is new', () => {
  const emptyMonth = {
    actualMinutes: 0,
    targetMinutes: 0,
    bookingMinutes: 0,
    credits: [],
  }
  const empty = (month: string): MonthAccount => ({
    ...november,
    ...emptyMonth,
    month,
    carriedMinutes: 0,
    balanceMinutes: 0,
    balanceToDateMinutes: 0,
    bookings: [],
    days: november.days.map(day => ({
      ...day,
      targetMinutes: 0,
      actualMinutes: 0,
      credits: [],
      entryIds: [],
    })),
    vacation: { ...november.vacation, used: 0 },
  })
  const months = year.months.map(month => ({
    ...month,
    ...emptyMonth,
    carriedMinutes: 0,
    balanceMinutes: 0,
    balanceToDateMinutes: 0,
  }))

  it('is one sentence and a way on, without noughts and empty pictures', async () => {
    lay({ month: empty, year: () => ({ ...year, months }) })
    renderPage(<Page />)
    await screen.findByText('Im November 2026 steht nichts auf deinem Zeitkonto: kein Soll und keine Zeiten.')
    screen.getByRole('link', { name: 'Zu „Meine Zeiten“' })
    expect(screen.queryByText(/0h 00m/)).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
    const vacation = screen.getByRole('region', { name: 'Urlaub 2026' })
    expect(vacation.textContent).toContain('Genehmigt0')
    expect(vacation.textContent).not.toContain('−0')
  })

  it('has dashes for the months before it begins', async () => {
    lay({
      year: () => ({
        ...year,
        months: months.map((month, index) => (index < 10 ? month : (year.months[index] ?? month))),
      }),
    })
    renderPage(<Page />)
    const table = await screen.findByRole('table', { name: 'Das Jahr 2026' })
    const march = within(table).getByRole('row', { name: /^März/ })
    expect(
      within(march)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['–', '–', '–', '–'])
  })
})

describe('the ledger', () => {
  it('adds up, until today and for the whole month', async () => {
    lay()
    renderPage(<Page />)
    await screen.findByText('Überstunden')
    const rowNames = ['Ist', 'Feiertage', 'Urlaub', 'Entschuldigte Abwesenheit', 'Buchungen', 'Soll']
    const figures = rowNames.map(name => row(new RegExp(`^${name} `)).textContent)
    expect(figures[0]).toContain('+84h 20m')
    expect(figures[2]).toContain('+16h 00m')
    expect(figures[2]).toContain('+20h 00m')
    expect(figures[4]).toContain('−1h 30m')
    expect(figures[5]).toContain('−120h 00m')
    expect(figures[5]).toContain('−168h 00m')
    expect(row(/^Saldo des Monats/).textContent).toContain('−49h 10m')
    expect(row(/^Übertrag aus Oktober/).textContent).toContain('+12h 35m')
    expect(row(/^Saldo bis heute/).textContent).toContain('7h 25m')
  })

  it('unfolds the actual time to days and their entries', async () => {
    lay()
    renderPage(<Page />)
    const panel = await unfold('Ist')
    const first = () => panel.getAllByRole('listitem')[0]?.textContent
    expect(first()).toContain('Mo 02.11.8h 32m')
    // The entries have their own query.
    await waitFor(() => expect(first()).toContain('07:02–16:04 Abzug −0h 30m'))
    expect(panel.getByText(/Korrektur/)).toBeDefined()
    expect(panel.getByText(/zählt nach dem Gehen/)).toBeDefined()
    expect(panel.getByRole('link').getAttribute('href')).toContain('tab=my_times')
  })

  it('unfolds a shift over the month’s end to its entries of the next month, too', async () => {
    const tos: string[] = []
    const night = { ...entries[0], id: 'e-night', date: '2026-12-01', start: '02:30', end: '06:00' }
    const days = november.days.map(day =>
      day.date === '2026-11-30' ? { ...day, entryIds: [...day.entryIds, 'e-night'] } : day,
    )
    lay({ month: () => ({ ...november, days }) })
    server.use(
      http.get(url('/api/users/u-1/times'), ({ request }) => {
        const toDay = `${new URL(request.url).searchParams.get('to')}`
        tos.push(toDay)
        return HttpResponse.json(toDay < night.date ? entries : [...entries, night])
      }),
    )
    renderPage(<Page />)
    const panel = await unfold('Ist')
    await panel.findByText('02:30–06:00')
    expect(tos).toEqual(['2026-12-01'])
  })

  it('unfolds holidays by name, also one that costs nothing, and bookings by reason', async () => {
    lay({
      month: () => ({
        ...november,
        holidays: [...november.holidays, { date: '2026-11-01', name: 'Allerheiligen' }],
      }),
    })
    renderPage(<Page />)
    const holidays = await unfold('Feiertage')
    expect(holidays.getAllByRole('listitem').map(item => item.textContent)).toEqual([
      expect.stringMatching(/01\.11\.Allerheiligen.*keine Gutschrift/),
      expect.stringMatching(/18\.11\.Buß- und Bettag\+8h 00m/),
    ])
    const bookings = await unfold('Buchungen')
    expect(bookings.getByText('Ausgezahlt mit der Oktoberabrechnung')).toBeDefined()
  })

  it('unfolds the target to the days that make it, those ahead apart', async () => {
    lay()
    renderPage(<Page />)
    const panel = await unfold('Soll')
    expect(panel.getAllByRole('listitem')).toHaveLength(21)
    expect(panel.getByRole('heading', { name: 'Noch vor dir' })).toBeDefined()
  })

  it('unfolds what is carried to the months it comes of', async () => {
    lay()
    renderPage(<Page />)
    const panel = await unfold('Übertrag aus Oktober')
    await waitFor(() => expect(panel.getByText('Stand Ende 2025')).toBeDefined())
    expect(panel.getAllByRole('listitem')).toHaveLength(10)
  })

  it('says so where entries do not come, and asks again', async () => {
    events.refusals.push(never) // which would refetch automatically
    let refuse = true
    lay({ times: () => (refuse ? refusal(500) : entries) })
    renderPage(<Page />)
    const panel = await unfold('Ist')
    expect(await panel.findByText('Die Einträge konnten nicht geladen werden.')).toBeDefined()
    expect(panel.getAllByText('8h 32m').length).toBeGreaterThan(0)
    refuse = false
    await userEvent.click(await panel.findByRole('button', { name: 'Erneut versuchen' }))
    expect((await panel.findAllByText(/07:02/)).length).toBeGreaterThan(1)
  })
})

describe('the pictures', () => {
  it('have all their figures in a table, and are walked along by arrow keys', async () => {
    lay()
    renderPage(<Page />)
    const name = 'November 2026, Tag für Tag'
    const table = await screen.findByRole('table', { name })
    expect(within(table).getAllByRole('row')).toHaveLength(31)
    expect(
      within(table).getByRole('row', { name: /Mittwoch, 18. November \(Buß- und Bettag\)/ }).textContent,
    ).toContain('8 Stunden')
    const slider = screen.getByRole('slider', { name })
    expect(slider.getAttribute('aria-valuetext')).toBe('Freitag, 20. November: Ist 0 Minuten, Soll 8 Stunden')
    fireEvent.change(slider, { target: { value: '4' } })
    expect(slider.getAttribute('aria-valuetext')).toBe(
      'Donnerstag, 5. November: Ist 0 Minuten, Gutschrift 8 Stunden, Soll 8 Stunden, Urlaub',
    )
  })

  it('of the year lead to a month', async () => {
    const searches = lay()
    renderPage(<Page />)
    fireEvent.change(await screen.findByRole('slider', { name: 'Das Jahr 2026' }), { target: { value: '2' } })
    const picture = within(screen.getByRole('region', { name: 'Das Jahr 2026' }))
    expect(picture.getByText('Saldo', { selector: 'span' }).textContent).toBe('Saldo +5h 40m')
    await userEvent.click(screen.getByRole('button', { name: 'März zeigen' }))
    await waitFor(() => expect(searches).toContain('month=2026-03'))
  })

  it('of the year fail by themselves', async () => {
    lay({ year: () => refusal(500) })
    renderPage(<Page />)
    expect(await screen.findByText('Das Jahr konnte nicht geladen werden.')).toBeDefined()
    expect(screen.getByText('Überstunden')).toBeDefined()
  })
})

describe('the vacation', () => {
  it('adds up, with days that were booked and days that have lapsed', async () => {
    const vacation = { ...november.vacation, booked: 1.5, lapsed: 2, remaining: 17.5 }
    lay({ month: () => ({ ...november, vacation }) })
    renderPage(<Page />)
    const card = await screen.findByRole('region', { name: 'Urlaub 2026' })
    expect(
      within(card)
        .getAllByRole('definition')
        .map(element => element.textContent?.replace('\u00a0', ' ')),
    ).toEqual(['30 Tage', '2,5 Tage', '1,5 Tage', '−14,5 Tage', '−2 Tage', '17,5 Tage', '3 Tage'])
  })
})

describe('the statement', () => {
  it('comes as a file by the name that the service gives it', async () => {
    lay()
    const searches: string[] = []
    server.use(
      http.get(url('/api/users/u-1/statement'), ({ request }) => {
        searches.push(new URL(request.url).search)
        return new HttpResponse('{}', {
          headers: { 'Content-Disposition': 'attachment; filename="zeitnachweis-2026-11-mia.json"' },
        })
      }),
    )
    const names: string[] = []
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL() {} }))
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    renderPage(<Page />)
    expect(await screen.findByText(/Der Monat läuft noch/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Zeitnachweis als JSON zum Prüfen' }))
    await waitFor(() => expect(names).toEqual(['zeitnachweis-2026-11-mia.json']))
    expect(searches).toEqual(['?month=2026-11&format=json'])
  })

  it('says what the service says against it', async () => {
    lay()
    server.use(http.get(url('/api/users/u-1/statement'), () => refusal(429, 'Zu viele Anfragen.')))
    renderPage(<Page />)
    await userEvent.click(await screen.findByRole('button', { name: 'Zeitnachweis als PDF' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Der Zeitnachweis konnte nicht geladen werden.')
    expect(alert.textContent).toContain('Zu viele Anfragen.')
  })

  it('is not offered for a month that has not begun', async () => {
    lay({
      month: month => ({
        ...november,
        month,
        targetToDateMinutes: 0,
        balanceToDateMinutes: november.carriedMinutes,
      }),
    })
    renderPage(<Page month="2026-12" />)
    expect(await screen.findByText(/noch nicht begonnen/)).toBeDefined()
    expect(screen.queryByRole('button', { name: /Zeitnachweis/ })).toBeNull()
  })
})

describe('the page', () => {
  it('is asked for anew when the service says that something has changed', async () => {
    const searches = lay()
    renderPage(<Page />)
    await screen.findByText('Überstunden')
    await waitFor(() => expect(events.opened).toHaveLength(1))
    const countBefore = searches.length
    for (const type of ['times_update', 'plan_update', 'messages_update']) {
      const count = searches.length
      act(() => events.opened[0]?.say({ type }))
      await waitFor(() => expect(searches.length).toBeGreaterThan(count))
    }
    expect(countBefore).toBeGreaterThan(0)
  })

  it('fails where it stands, and can be asked for again', async () => {
    events.refusals.push(never)
    let refuse = true
    lay({ month: () => (refuse ? refusal(500) : november) })
    renderPage(<Page />)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Dein Zeitkonto konnte nicht geladen werden.')
    refuse = false
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    expect(await screen.findByText('Überstunden')).toBeDefined()
  })

  it('is read without a network, down to the entries', async () => {
    lay()
    const { unmount } = renderPage(<Page />)
    await screen.findByText('Überstunden')
    await waitFor(async () => {
      const { db } = await import('../../offline/db')
      expect(await db.snapshots.count()).toBe(3)
    })
    unmount()
    server.use(
      http.get(url('/api/users/u-1/account'), () => HttpResponse.error()),
      http.get(url('/api/users/u-1/times'), () => HttpResponse.error()),
    )
    act(reportUnreachable)
    renderPage(<Page />)
    expect(await screen.findByText('Überstunden')).toBeDefined()
    expect(screen.getByText(/Stand vom 20. November, 11:10 Uhr/)).toBeDefined()
    const panel = await unfold('Ist')
    expect((await panel.findAllByText(/07:02/)).length).toBeGreaterThan(1)
  })

  it('tells who has no target to ask for it', async () => {
    lay({
      month: () => ({
        ...november,
        targetMinutes: 0,
        days: november.days.map(day => ({ ...day, targetMinutes: 0 })),
      }),
    })
    renderPage(<Page />)
    expect(await screen.findByText(/kein Soll hinterlegt/)).toBeDefined()
  })
})
