import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { renderPage, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { answers } from './samples'
import { TodayPage } from './TodayPage'
import { decide } from './useWaitingItems'
import { type Item, itemsOf } from './waiting'

const CHEF = { ...MIA, role: 'companyAdmin' }
const DAY = answers['GET /api/companies/c-1/today']
const PENDING = 'GET /api/companies/c-1/vacation-requests?status=pending'
const PREVIEW = {
  days: 3,
  freeDays: 0,
  holidays: [],
  remainingAfter: -1,
  reservedAfter: 3,
  overlaps: false,
  warnings: [{ code: 'duty', date: '2026-12-21' }],
  years: [{ year: 2026, remaining: -1 }],
  around: [],
}
const EMPTY_ANSWERS = { absences: [], requests: [], corrections: [], held: [], review: [] }
const QUIET = { heldStamps: 0, review: 0 }

let events: Events

serve()
beforeEach(() => {
  events = layEvents()
  reload()
  logInAs(CHEF)
})

let requests: string[]
/** The service answers as the sample does, except for the day and the given overrides. */
function lay(day: () => unknown = () => DAY) {
  requests = []
  server.use(
    http.get(url('/api/companies/c-1/today'), () => {
      const answer = day()
      return answer instanceof Response ? answer : HttpResponse.json(answer as object)
    }),
    http.get(url('/api/vacation-requests/preview'), () => HttpResponse.json(PREVIEW)),
    http.get(url('/api/companies/c-1/:list'), ({ request }) => {
      const { pathname, search } = new URL(request.url)
      requests.push(pathname.split('/').at(-1) as string)
      const laid: Record<string, unknown> = answers
      const body = laid[`GET ${pathname}${search}`] ?? laid[`GET ${pathname}`]
      return HttpResponse.json(body as object)
    }),
  )
}

const open = () => renderPage(<TodayPage session={CHEF} />, '/company-dashboard')
const people = async () => {
  const list = await screen.findByRole('list', { name: 'Wer ist da' })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
}
const waiting = async () => {
  const list = await screen.findByRole('list', { name: 'Zu entscheiden' })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
}

describe('Heute', () => {
  it('that is refused says so, and is asked for again', async () => {
    let refused = true
    lay(() => (refused ? refusal(500, 'Die Datenbank antwortet nicht.') : { waiting: QUIET }))
    open()
    await screen.findByText('Die Datenbank antwortet nicht.')
    refused = false
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByText('Alles erledigt.')
  })

  it('leaves out what is switched off, and asks for nothing that does not wait', async () => {
    lay(() => ({ waiting: QUIET }))
    open()
    await screen.findByText('Alles erledigt.')
    expect(screen.queryByRole('region', { name: 'Wer ist da' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Technik' })).toBeNull()
    expect(requests).toEqual([])
  })

  it('says how many of those with a duty are there when nothing waits', async () => {
    lay(() => ({ ...DAY, waiting: QUIET, silentClocks: [], alarms: [] }))
    open()
    await screen.findByText('Alles erledigt. 8 von 10 sind da.')
  })

  it('leads from everybody whom it names to them', async () => {
    lay()
    server.use(
      http.get(url('/api/companies/c-1/features'), () =>
        HttpResponse.json([{ id: 'f-1', key: 'manage_employees', label: 'Mitarbeiter verwalten' }]),
      ),
    )
    open()
    const presentList = within(await screen.findByRole('list', { name: 'Wer ist da' }))
    const finn = await presentList.findByRole('link', { name: 'Finn Maurer' })
    expect(finn.getAttribute('href')).toContain('tab=manage_employees&person=u-4')
    const panel = within(await screen.findByRole('region', { name: /^Öznur Çelik/ }))
    expect(panel.getByRole('link', { name: 'Öznur Çelik' }).getAttribute('href')).toContain('person=q-1')
  })

  it('says that what waits could not be had', async () => {
    lay()
    server.use(http.get(url('/api/companies/c-1/review'), () => refusal(500, 'Gerade nicht.')))
    open()
    await screen.findByText('Was wartet, konnte nicht geladen werden.')
    expect(await people()).not.toEqual([])
  })
})

describe('who is there', () => {
  it.each([
    ['a wide window', 40],
    ['a phone', 12],
  ])('is cut short in %s where there are many, but never by a number that is chosen', async (where, most) => {
    if (where === 'a wide window') wide()
    const [one] = DAY.present ?? []
    const present = Array.from({ length: 60 }, (_, index) => ({
      ...one,
      userId: `p-${index}`,
      username: `Person ${index}`,
    }))
    lay(() => ({ ...DAY, present, missing: [], unexpected: [] }))
    open()
    expect(await people()).toHaveLength(most)
    await userEvent.click(screen.getByRole('button', { name: 'Alle 60 zeigen', expanded: false }))
    expect(await people()).toHaveLength(60)
    await userEvent.click(screen.getByRole('button', { name: 'Weniger zeigen', expanded: true }))
    expect(await people()).toHaveLength(most)
    await userEvent.click(screen.getByRole('button', { name: /eingestempelt/ }))
    expect(await people()).toHaveLength(60)
    expect(screen.queryByRole('button', { name: 'Alle 60 zeigen' })).toBeNull()
  })

  it('stands in lines, those that are missing first, then those without a plan', async () => {
    lay()
    open()
    const lines = await people()
    expect(lines.slice(0, 4)).toEqual([
      'fehltFinn Maurer08:00–16:30',
      'fehltAyşe Yılmazab 08:00',
      'unerwartetTarik AydınEingang Werkstattseit 09:12',
      'eingestempeltMia SommerEingang Werkstattseit 07:00 · bis 16:30',
    ])
    expect(lines.at(-1)).toBe('eingestempeltEmil HaasLager06:00–09:45')
  })

  it('is narrowed down by its numbers, and whole again by the same', async () => {
    lay()
    open()
    const missing = await screen.findByRole('button', { name: /fehlt/ })
    expect(missing.textContent).toBe('2fehlt')
    await userEvent.click(missing)
    expect(await people()).toHaveLength(2)
    await userEvent.click(missing)
    expect(await people()).toHaveLength(11)
  })

  it('follows what the service tells, but moves no row under the pointer', async () => {
    let day = DAY
    lay(() => day)
    open()
    const peopleBefore = await people()
    await waitFor(() => expect(events.open.length).toBe(1))
    fireEvent.pointerEnter(screen.getByRole('list', { name: 'Wer ist da' }))
    const [finn, ...missing] = DAY.missing ?? []
    const came = { ...(finn as NonNullable<typeof finn>), start: '08:20', end: null }
    day = { ...DAY, missing, present: [came, ...(DAY.present ?? [])] }
    act(() => events.open[0]?.say({ type: 'times_update' }))
    await screen.findByText('seit 08:20 · bis 16:30')
    expect((await people())[0]).toBe('eingestempeltFinn Maurerseit 08:20 · bis 16:30')
    expect((await people()).slice(1)).toEqual(peopleBefore.slice(1))
    fireEvent.pointerLeave(screen.getByRole('list', { name: 'Wer ist da' }))
    expect((await people())[0]).toBe('fehltAyşe Yılmazab 08:00')
  })
})

describe('what waits', () => {
  it.each([
    ['times_update', ['held-stamps', 'review', 'time-corrections']],
    ['plan_update', ['absences', 'held-stamps', 'review', 'time-corrections', 'vacation-requests']],
  ])('is asked for anew at %s, as far as that can have changed it', async (type, lists) => {
    lay()
    open()
    await waiting()
    await waitFor(() => expect(events.open.length).toBe(1))
    // Excludes queries caused by the opening of the stream.
    await waitFor(async () => {
      requests = []
      act(() => events.open[0]?.say({ type }))
      await waitFor(() => expect(requests).toEqual(expect.arrayContaining(lists)))
      expect([...new Set(requests)].sort()).toEqual(lists)
    })
  })

  it('of stamps is asked for once the day itself has come', async () => {
    lay()
    open()
    await waiting()
    await waitFor(() => expect(events.open.length).toBe(1))
    const days: (() => void)[] = []
    const heldAnswer = () => new Promise<void>(come => days.push(come)).then(() => HttpResponse.json(DAY))
    server.use(http.get(url('/api/companies/c-1/today'), heldAnswer))
    for (const count of [1, 2]) {
      act(() => events.open[0]?.say({ type: 'times_update' }))
      await waitFor(() => expect(days).toHaveLength(count))
      // Excludes queries still in flight since the opening of the stream.
      if (count === 1) requests = []
    }
    expect(requests).toEqual([])
    for (const come of days) come()
    await waitFor(() => expect(requests).toEqual(expect.arrayContaining(['held-stamps', 'review'])))
  })

  it('is one list, oldest first: a report and a tag count once', async () => {
    lay()
    open()
    expect(await waiting()).toEqual([
      'Öznur ÇelikUrlaub · Mo 21.12. – Mi 23.12.',
      'Jonas BrandtUrlaub, Stornierung angefragt · Mo 21.12. – Mi 23.12.',
      'Emil HaasGehen fehlt, Ungewöhnlich lang · Mi 18.11.',
      'Finn MaurerKrankmeldung · Do 19.11. – Mo 23.11.',
      'Mia SommerZeitkorrektur · Do 19.11.',
      'Chip 04A1B2C3D4E5F6Wartender Stempel · Fr 20.11., 07:58',
    ])
  })

  it('has beside it what is left of leave afterwards, and what speaks against it', async () => {
    lay()
    open()
    const panel = within(await screen.findByRole('region', { name: /^Öznur Çelik/ }))
    await panel.findByText('Öznur Çelik ist eingeteilt: 21. Dezember 2026.')
    panel.getByText(/^Das ist 1.Tag mehr, als übrig sind\.$/)
    panel.getByText('Danach übrig 2026')
  })

  it('is decided beside the list, ten seconds later, with the sentence', async () => {
    lay()
    const sent: unknown[] = []
    server.use(
      http.post(url('/api/vacation-requests/q-1/approve'), async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({})
      }),
    )
    const { unmount } = open()
    await waiting()
    await userEvent.click(screen.getByRole('button', { name: /Öznur Çelik/ }))
    await userEvent.type(screen.getByRole('textbox'), 'Schöne Feiertage')
    await userEvent.click(screen.getByRole('button', { name: 'Genehmigen' }))
    expect(sent).toEqual([])
    // Leaving the page sends the decision.
    unmount()
    await waitFor(() => expect(sent).toEqual([{ comment: 'Schöne Feiertage' }]))
  })

  it('and costs more leave than there is asks once more, and is approved by that', async () => {
    const refused = refusal(409, 'Dafür reicht der Urlaub nicht.', { code: 'over_allowance' })
    const sent: unknown[] = []
    server.use(
      http.post(url('/api/vacation-requests/q-1/approve'), async ({ request }) => {
        const body = await request.json()
        sent.push(body)
        return (body as { overAllowance?: true }).overAllowance ? HttpResponse.json({}) : refused
      }),
    )
    const item = itemsOf({ ...EMPTY_ANSWERS, requests: answers[PENDING] }).at(0) as Item
    await expect(decide('c-1', item, true, '')).rejects.toMatchObject({ code: 'over_allowance' })
    await decide('c-1', item, true, '', true)
    expect(sent).toEqual([{}, { overAllowance: true }])
  })

  it('takes leave away, leaves an entry as it is, or gives a tag to somebody, right there', async () => {
    lay()
    const sent: string[] = []
    server.use(
      http.post(url('/api/*'), async ({ request }) => {
        sent.push(`${new URL(request.url).pathname} ${JSON.stringify(await request.json())}`)
        return HttpResponse.json({ flags: [] })
      }),
    )
    const { unmount } = open()
    await waiting()
    await userEvent.click(screen.getByRole('button', { name: /Jonas Brandt/ }))
    await userEvent.type(screen.getByRole('textbox'), 'Gern')
    await userEvent.click(screen.getByRole('button', { name: 'Urlaub stornieren' }))
    await userEvent.click(screen.getByRole('button', { name: /Emil Haas/ }))
    await userEvent.click(screen.getByRole('button', { name: 'So lassen' }))
    await userEvent.click(screen.getByRole('button', { name: /^Chip 04A1/ }))
    expect(screen.getByRole('link', { name: 'In der Prüfliste öffnen' }).getAttribute('href')).toMatch(
      /tab=review$/,
    )
    expect(screen.getByRole('button', { name: /^Verwerfen/ })).toBeTruthy()
    unmount()
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent.sort()).toEqual([
      '/api/companies/c-1/review/e-9/confirm {"flags":["missing_out","long_entry"],"comment":""}',
      '/api/vacation-requests/q-2/cancel {"comment":"Gern"}',
    ])
  })
})

describe('the clocks', () => {
  it('are spoken of where one has an alarm, with what to do', async () => {
    lay()
    open()
    const list = within(await screen.findByRole('region', { name: /Technik/ }))
    expect(list.getByText('Eingang Werkstatt: Speicher gestört.')).toBeTruthy()
    expect(list.getByText(/^Lass die Uhr eingeschaltet, bis alles gesendet ist/)).toBeTruthy()
    expect(list.getAllByRole('link', { name: 'Geräte ansehen' })).toHaveLength(2)
  })

  it('are spoken of where one is silent, or has read a tag that nobody holds', async () => {
    lay()
    open()
    const list = within(await screen.findByRole('region', { name: /Technik/ }))
    expect(list.getByText('Uhr im Lager meldet sich nicht.')).toBeTruthy()
    expect(list.getByText('Zuletzt gehört: 20. November, 06:12 Uhr.')).toBeTruthy()
    expect(await list.findByText('Unbekannter Chip 04A1B2C3D4E5F6.')).toBeTruthy()
    expect(list.getByText('2 Stempel an „Eingang Werkstatt“.')).toBeTruthy()
    expect(list.getByRole('link', { name: 'Wem gehört er?' })).toBeTruthy()
  })
})
