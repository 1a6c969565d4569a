import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { renderPage, renderQueries, success } from '../../../tests/page'
import { held, logInAs, MIA, never, refusal, serve, server, url } from '../../../tests/server'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { db } from '../../offline/db'
import { discard } from '../../offline/outbox'
import { wipe } from '../../offline/snapshots'
import { takeBack } from '../../patterns/sending'
import { CompanyMessages, MyMessages } from './MessagesPage'
import type { Message } from './message'
import { type Offer, useOfferCount } from './offers'
import { MESSAGES, NOTICES } from './samples'

const JONAS: Offer = {
  id: 'o-1',
  requesterName: 'Jonas Weber',
  date: '2026-11-24',
  createdAt: '2026-11-20T06:58:03.214Z',
  start: '07:00',
  end: '15:30',
}
const LEA: Offer = {
  ...JONAS,
  id: 'o-2',
  requesterName: 'Lea Kurz',
  date: '2026-12-02',
  start: null,
  end: null,
}

let events: Events
let offers: Offer[]
let messages: typeof MESSAGES
/** The POST requests, as path and body. */
let posted: [string, unknown][]

serve()
beforeEach(async () => {
  reload()
  logInAs()
  reportReached()
  await wipe()
  await discard()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
  events = layEvents()
  offers = [JONAS, LEA]
  messages = [...MESSAGES]
  posted = []
  server.use(
    http.get(url('/api/schedule/swap-requests'), () => HttpResponse.json(offers)),
    http.get(url('/api/messages'), () => HttpResponse.json(messages)),
    http.get(url('/api/notifications'), () => HttpResponse.json(NOTICES)),
    http.get(url('/api/companies/c-1/features'), () => HttpResponse.json([{ key: 'absences' }])),
    http.post(url('/api/messages/read'), async ({ request }) => {
      posted.push(['/api/messages/read', await request.json()])
      return new HttpResponse(null, { status: 204 })
    }),
    http.post(url('/api/messages/:id/read'), ({ params }) => {
      messages = messages.filter(({ id }) => id !== params.id)
      posted.push([`/api/messages/${params.id}/read`, null])
      return new HttpResponse(null, { status: 204 })
    }),
    http.post(url('/api/schedule/swap-requests/:id/:answer'), ({ params }) => {
      offers = offers.filter(({ id }) => id !== params.id)
      posted.push([`${params.id} ${params.answer}`, null])
      return HttpResponse.json({ ...JONAS, status: 'accepted' })
    }),
  )
})
afterEach(() => {
  reportReached()
})

const open = (page = <MyMessages session={MIA} />) => renderPage(page)
const openOffers = () => screen.findByRole('region', { name: /^Offene Übergaben/ })
const inbox = () => screen.findByRole('region', { name: /^Eingang/ })
const titles = async () =>
  within(await inbox())
    .queryAllByRole('heading', { level: 3 })
    .map(heading => heading.textContent)
const button = (name: string | RegExp) => screen.findByRole('button', { name })

describe('hand-overs to answer', () => {
  it('say who, which day in full, the times where they are known, and when it was asked', async () => {
    open()
    const cards = within(await openOffers()).getAllByRole('listitem')
    expect(cards[0]?.textContent).toContain('Jonas Weber möchte dir einen Dienst übergeben.')
    expect(cards[0]?.textContent).toContain('Dienstag, 24. November 2026')
    expect(cards[0]?.textContent).toContain('07:00–15:30')
    expect(cards[0]?.textContent).toContain('Angefragt heute, 07:58\u00a0Uhr')
    expect(cards[1]?.textContent).not.toContain('–')
  })

  it('are accepted once that was confirmed, go at once, and everything is asked for 250 ms later', async () => {
    open()
    await userEvent.click(await button(/^Annehmen: Dienst von Jonas Weber/))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Dienst am Dienstag, 24. November 2026 übernehmen?')).toBeTruthy()
    expect(posted).toEqual([])
    let requestCount = 0
    server.use(
      http.get(url('/api/messages'), () => {
        requestCount += 1
        return HttpResponse.json(messages)
      }),
    )
    await userEvent.click(dialog.getByRole('button', { name: 'Annehmen' }))
    await success('Dienst am Dienstag, 24. November 2026 übernommen.')
    expect(posted).toEqual([['o-1 accept', null]])
    await waitFor(() => expect(screen.queryByText('Jonas Weber')).toBeNull())
    expect(await screen.findByText('Lea Kurz')).toBeTruthy()
    await eventually(() => expect(requestCount).toBeGreaterThan(0))
  })

  it('are declined at a press; with the last the whole part is gone', async () => {
    offers = [LEA]
    open()
    await userEvent.click(await button(/^Ablehnen: Dienst von Lea Kurz/))
    await success('Abgelehnt. Lea Kurz erfährt davon.')
    expect(posted).toEqual([['o-2 decline', null]])
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Offene Übergaben/ })).toBeNull())
  })

  it('that are refused say so in an alert, and are asked for anew', async () => {
    server.use(
      http.post(url('/api/schedule/swap-requests/:id/accept'), () => {
        offers = [LEA]
        return refusal(409, 'Diese Anfrage wurde zurückgezogen.')
      }),
    )
    open()
    await userEvent.click(await button(/^Annehmen: Dienst von Jonas Weber/))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Annehmen' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('Antwort fehlgeschlagen: Diese Anfrage wurde zurückgezogen.')
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(screen.queryByText('Jonas Weber')).toBeNull())
    expect(screen.getByRole('alert')).toBe(alert)
  })

  it('whose answer got lost are not said to have failed', async () => {
    server.use(
      http.post(
        url('/api/schedule/swap-requests/:id/decline'),
        () => new HttpResponse(null, { status: 504 }),
      ),
    )
    open()
    await userEvent.click(await button(/^Ablehnen: Dienst von Jonas Weber/))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Keine Antwort vom Server\./)
  })

  it('cannot be answered without the service', async () => {
    open()
    await openOffers()
    reportUnreachable()
    expect(await screen.findAllByText('Antworten geht erst wieder mit Verbindung.')).toHaveLength(2)
    expect(((await button(/^Annehmen: Dienst von Jonas/)) as HTMLButtonElement).disabled).toBe(true)
  })

  it('that cannot be had say so where they would stand', async () => {
    server.use(http.get(url('/api/schedule/swap-requests'), () => refusal(500)))
    open()
    await screen.findByText('Die offenen Übergaben konnten nicht geladen werden.')
    await screen.findByText('Urlaub genehmigt')
  })
})

describe('the inbox', () => {
  it('shows the newest first, coloured by how it went out, each with the way to what it is about', async () => {
    messages.reverse()
    open()
    await eventually(async () =>
      expect(await titles()).toEqual([
        'Urlaub genehmigt',
        'Übergabe abgelehnt',
        'Dein Dienstplan hat sich geändert',
        'Zeitkorrektur abgelehnt',
        'Buchung auf deinem Konto',
      ]),
    )
    const lines = [...(await inbox()).querySelectorAll('li')]
    expect(lines.map(line => line.dataset.outcome)).toEqual(['good', 'bad', 'neutral', 'bad', 'neutral'])
    const links = within(await inbox()).getAllByRole('link')
    expect(links.map(link => link.getAttribute('href'))).toEqual([
      '/?tab=my_absences&monat=2026-12',
      '/?tab=my_schedule&monat=2026-11',
      '/?tab=my_schedule&monat=2026-11',
      '/?tab=my_times&monat=2026-11',
      '/?tab=my_account&monat=2026-10',
    ])
    expect(lines[4]?.textContent).toContain('30. Dezember 2025, 09:00\u00a0Uhr')
  })

  it('lets a message be marked as read: it goes before the service has answered, and the focus goes on', async () => {
    const answer = held(() => new HttpResponse(null, { status: 204 }))
    server.use(http.post(url('/api/messages/:id/read'), answer.answer))
    open()
    await userEvent.click(await button('Als gelesen markieren: Urlaub genehmigt'))
    expect(screen.queryByText('Urlaub genehmigt')).toBeNull()
    expect(document.activeElement).toBe(await button('Als gelesen markieren: Übergabe abgelehnt'))
    await answer.asked
    answer.release()
    await eventually(async () => expect(await db.outbox.count()).toBe(0))
    expect(screen.queryByText('Urlaub genehmigt')).toBeNull()
  })

  it('takes several presses in a row', async () => {
    open()
    for (const title of ['Urlaub genehmigt', 'Übergabe abgelehnt', 'Zeitkorrektur abgelehnt'])
      await userEvent.click(await button(`Als gelesen markieren: ${title}`))
    await eventually(() =>
      expect(posted.map(([path]) => path)).toEqual([
        '/api/messages/m-1/read',
        '/api/messages/m-2/read',
        '/api/messages/m-4/read',
      ]),
    )
    expect(await titles()).toEqual(['Dein Dienstplan hat sich geändert', 'Buchung auf deinem Konto'])
  })

  it('shows it again, and says so, where that is refused', async () => {
    server.use(http.post(url('/api/messages/:id/read'), () => refusal(403, 'Dafür fehlt die Berechtigung.')))
    open()
    await userEvent.click(await button('Als gelesen markieren: Urlaub genehmigt'))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Konnte Nachricht nicht als gelesen markieren.')
    expect(alert.textContent).toContain('Dafür fehlt die Berechtigung.')
    expect(await titles()).toContain('Urlaub genehmigt')
  })

  it('takes for read what is gone already', async () => {
    server.use(http.post(url('/api/messages/:id/read'), () => refusal(404, 'Nicht gefunden.')))
    open()
    await userEvent.click(await button('Als gelesen markieren: Urlaub genehmigt'))
    await eventually(async () => expect(await db.outbox.count()).toBe(0))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await titles()).not.toContain('Urlaub genehmigt')
  })

  it('keeps the mark for later without the service, also over a reload', async () => {
    const { unmount } = open()
    await screen.findByText('Urlaub genehmigt')
    reportUnreachable()
    await userEvent.click(await button('Als gelesen markieren: Urlaub genehmigt'))
    await success('Gespeichert. Wird gesendet, sobald der Server antwortet.')
    expect(await db.outbox.toArray()).toMatchObject([
      { kind: 'read', path: '/api/messages/m-1/read', body: { ids: ['m-1'] } },
    ])
    unmount()
    open()
    await screen.findByText('Übergabe abgelehnt')
    await waitFor(() => expect(screen.queryByText('Urlaub genehmigt')).toBeNull())
    for (const item of await db.outbox.toArray()) await takeBack(item)
  })

  it('is emptied by one press and a confirmation, in one call', async () => {
    open()
    await userEvent.click(await button('Alle gelesen'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^5 Nachrichten stehen dann nicht mehr im Eingang\./)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Als gelesen markieren' }))
    await screen.findByText('Du hast alles gelesen.')
    await eventually(() =>
      expect(posted).toEqual([['/api/messages/read', { ids: ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'] }]]),
    )
  })

  it('asks for older ones by fifty', async () => {
    const searches = new Set<string>()
    server.use(
      http.get(url('/api/messages'), ({ request }) => {
        const { search } = new URL(request.url)
        searches.add(search)
        return HttpResponse.json(messages, {
          headers: search === '?limit=50' ? { Link: '</api/messages?limit=50&before=m-5>; rel="next"' } : {},
        })
      }),
    )
    open()
    expect(await button('Diese 5 gelesen')).toBeTruthy()
    await userEvent.click(await button('Weitere laden'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Weitere laden' })).toBeNull())
    expect([...searches]).toEqual(['?limit=50', '?limit=100'])
  })

  it('that is empty says so, and looks again', async () => {
    messages = []
    open()
    await screen.findByText('Du hast alles gelesen.')
    messages = [...MESSAGES]
    await userEvent.click(await button('Noch einmal nachsehen'))
    await screen.findByText('Urlaub genehmigt')
  })

  it('that cannot be had says so and can be tried again', async () => {
    events.refusals.push(never) // which would refetch automatically
    let broken = true
    server.use(http.get(url('/api/messages'), () => (broken ? refusal(500) : HttpResponse.json(messages))))
    open()
    const error = await screen.findByRole('alert', {
      name: 'Deine Nachrichten konnten nicht geladen werden.',
    })
    broken = false
    await userEvent.click(within(error).getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByText('Urlaub genehmigt')
  })

  it('shows what comes by itself', async () => {
    messages = []
    open()
    await screen.findByText('Du hast alles gelesen.')
    await eventually(() => expect(events.open).toHaveLength(1))
    messages = [...MESSAGES]
    events.open[0]?.say({ type: 'messages_update' })
    await screen.findByText('Urlaub genehmigt')
  })

  it('of an administrator has no hand-overs to answer, and no links to pages of employees', async () => {
    server.use(http.get(url('/api/schedule/swap-requests'), never))
    open(<CompanyMessages session={{ ...MIA, role: 'companyAdmin' }} />)
    await screen.findByRole('heading', { level: 1, name: 'Nachrichten' })
    await screen.findByText('Urlaub genehmigt')
    expect(screen.queryByText('Offene Übergaben')).toBeNull()
    expect(within(await inbox()).queryAllByRole('link')).toEqual([])
  })

  it('leads an administrator to what it asks for', async () => {
    const payload = { what: 'vacation', requestId: 'v-1' }
    messages = [{ ...(MESSAGES[0] as Message), type: 'request', title: 'Neuer Antrag: Urlaub', payload }]
    open(<CompanyMessages session={{ ...MIA, role: 'companyAdmin' }} />)
    const link = await screen.findByRole('link', { name: 'Abwesenheiten bestätigen: Neuer Antrag: Urlaub' })
    expect(link.getAttribute('href')).toContain('?tab=absences&teil=requests&eintrag=v-1')
  })
})

describe('the count in the menu', () => {
  it('is that of the open hand-overs, and stands at the app’s icon', async () => {
    const badges: number[] = []
    vi.stubGlobal(
      'navigator',
      Object.assign(navigator, { setAppBadge: (count: number) => Promise.resolve(void badges.push(count)) }),
    )
    const result = renderQueries(() => useOfferCount(MIA))
    expect(result.current).toBe(0)
    await eventually(() => expect(result.current).toBe(2))
    offers = []
    await eventually(() => expect(events.open).toHaveLength(1))
    events.open[0]?.say({ type: 'messages_update' })
    await eventually(() => expect(badges.at(-1)).toBe(0))
    expect(badges[0]).toBe(2)
  })
})
