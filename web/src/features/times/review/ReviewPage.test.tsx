import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Events, layEvents } from '../../../../tests/events'
import { eventually } from '../../../../tests/eventually'
import { fill, renderPage, success } from '../../../../tests/page'
import { pick } from '../../../../tests/people'
import { logInAs, MIA, refusal, serve, server, url } from '../../../../tests/server'
import { reportReached } from '../../../api/connectivity'
import { reload } from '../../../api/session'
import { FORGETFUL, HELD_STAMPS, REVIEW } from '../samples'
import { ReviewPage } from './ReviewPage'
import type { Reviewed } from './useReview'

serve()

const CHEF = { ...MIA, role: 'companyAdmin' as const, userId: 'u-9', username: 'Chef' }
let events: Events
let sent: { call: string; body: unknown }[] = []
/** The service's waiting entries. */
let rows: Reviewed[] = []
let modules: string[] = []
beforeEach(() => {
  reload()
  reportReached()
  events = layEvents()
  sent = []
  rows = [...REVIEW]
  modules = ['absences', 'manage_employees']
  logInAs(CHEF)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
})

type Answers = Record<string, () => Response>

/** Records every action; `answers` overrides the defaults. */
function open(answers: Answers = {}, session: typeof MIA = CHEF) {
  const doing = async ({ request }: { request: Request }) => {
    const call = `${request.method} ${new URL(request.url).pathname}`
    sent.push({ call, body: await request.json().catch(() => null) })
    return answers[call]?.() ?? new HttpResponse(null, { status: 204 })
  }
  const COMPANY = '/api/companies/c-1'
  server.use(
    http.get(url(`${COMPANY}/review`), () => answers.review?.() ?? HttpResponse.json(rows)),
    http.get(url(`${COMPANY}/held-stamps`), () => answers.held?.() ?? HttpResponse.json([])),
    http.get(url('/api/users/:id/times'), () => answers.times?.() ?? HttpResponse.json([...FORGETFUL])),
    http.get(url(`${COMPANY}/features`), () =>
      HttpResponse.json(modules.map(key => ({ id: key, key, label: key }))),
    ),
    http.get(url(`${COMPANY}/settings`), () => HttpResponse.json({ timeZone: 'Europe/Berlin' })),
    http.get(url(`${COMPANY}/users`), () => HttpResponse.json([{ id: 'u-1', username: 'Mia Sommer' }])),
    http.post(url('/api/*'), doing),
    http.delete(url('/api/work-times/:id'), doing),
  )
  const page = renderPage(<ReviewPage session={session} />, '/company-dashboard?tab=review')
  return { user: userEvent.setup(), ...page }
}

const list = () => screen.findByRole('list', { name: 'Zu prüfen' })
const lines = async () =>
  within(await list())
    .getAllByRole('button')
    .map(row => row.textContent)
const panel = (name: string) => screen.findByRole('region', { name })
const MIAS = 'Mia Sommer, 18.11.2026'
const mias = async () => {
  await userEvent.click(within(await list()).getByRole('button', { name: /Mia Sommer.*18\.11\./ }))
  const reviewPanel = within(await panel(MIAS))
  await reviewPanel.findByRole('button', { name: modules.includes('absences') ? 'Löschen' : 'Erinnern' })
  return reviewPanel
}
const openWithHeld = (rest: Answers = {}) =>
  open({ held: () => HttpResponse.json([...HELD_STAMPS]), ...rest })

describe('the list', () => {
  it('that is refused says why', async () => {
    open({ review: () => refusal(403, 'Dafür fehlt die Berechtigung.') })
    expect((await screen.findByRole('alert')).textContent).toContain('Dafür fehlt die Berechtigung.')
  })

  it('of nothing says so', async () => {
    rows = []
    open()
    expect(await screen.findByText('Nichts zu prüfen. Alle Einträge sind in Ordnung.')).toBeTruthy()
  })

  it('stands by day and person, each with what is odd', async () => {
    open()
    expect(await lines()).toEqual([
      'Mia SommerMi 18.11.Gehen fehlt',
      'Öznur ÇelikDi 17.11.Kommen fehlt',
      'Jan WinterMo 16.11.Über 10\u00a0StundenPause fehlt',
      'Jan WinterDo 12.11.Trotz Abwesenheit',
      'Mia SommerDi 10.11.Kurze Ruhezeit',
    ])
  })

  it('says of an incomplete day that it is older than five days', async () => {
    rows = [...rows.slice(0, 1), { ...(rows[0] as Reviewed), entryId: 'e-old', date: '2026-11-14' }]
    open()
    expect(await lines()).toEqual([
      'Mia SommerMi 18.11.Gehen fehlt',
      'Mia SommerSa 14.11.Älter als 5 TageGehen fehlt',
    ])
  })

  it('is narrowed down by kind, with how many there are of each', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Gehen fehlt 1' }))
    expect(await lines()).toEqual(['Mia SommerMi 18.11.Gehen fehlt'])
    await user.click(screen.getByRole('button', { name: 'Alle 5' }))
    expect(await lines()).toHaveLength(5)
  })

  it('is read by a works council, which can do nothing', async () => {
    open({}, { ...MIA, role: 'user' })
    await panel(MIAS)
    expect(screen.queryByRole('button', { name: /So lassen|Erinnern|Löschen|Korrigieren/ })).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByText(/Was du hier erledigst/)).toBeNull()
  })
})

describe('the day of an entry', () => {
  it('says its entries, what is odd about them, and speaks to who administers', async () => {
    open()
    const reviewPanel = await mias()
    const entries = within(reviewPanel.getByRole('list', { name: 'Einträge des Tages' })).getAllByRole(
      'listitem',
    )
    expect(entries).toHaveLength(2)
    expect(entries[1]?.textContent).toContain('Gehen fehlt')
    expect(reviewPanel.getByText(/Zu diesem Kommen gibt es kein Gehen/)).toBeTruthy()
    await userEvent.click(within(await list()).getByRole('button', { name: /Trotz Abwesenheit/ }))
    expect(await screen.findByText('An diesem Tag war die Person krankgemeldet oder im Urlaub.')).toBeTruthy()
  })

  it('leads to the person where the company has their page, and corrects and deletes only where it has corrections', async () => {
    modules = []
    open()
    const reviewPanel = await mias()
    expect(reviewPanel.queryByRole('link')).toBeNull()
    expect(reviewPanel.queryByRole('button', { name: 'Korrigieren' })).toBeNull()
    expect(reviewPanel.queryByRole('button', { name: 'Löschen' })).toBeNull()
  })

  it('says that an entry is gone, and offers nothing for it', async () => {
    open({ times: () => HttpResponse.json([]) })
    expect(await screen.findByText('Der Eintrag hat sich inzwischen geändert.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Löschen' })).toBeNull()
  })
})

describe('what is done', () => {
  it('leaves an entry as it is, with a sentence, as soon as the page is left', async () => {
    const { unmount } = open({
      'POST /api/companies/c-1/review/e-2/confirm': () => HttpResponse.json({ entryId: 'e-2', flags: [] }),
    })
    const reviewPanel = await mias()
    await fill(reviewPanel.getByLabelText('Begründung'), 'Notdienst')
    await userEvent.click(reviewPanel.getByRole('button', { name: 'So lassen' }))
    expect(await lines()).toHaveLength(4)
    expect(sent).toEqual([])
    unmount()
    await eventually(() =>
      expect(sent).toEqual([
        {
          call: 'POST /api/companies/c-1/review/e-2/confirm',
          body: { flags: ['missing_out'], comment: 'Notdienst' },
        },
      ]),
    )
  })

  it('reminds the person, and says so', async () => {
    open()
    const reviewPanel = await mias()
    await userEvent.click(reviewPanel.getByRole('button', { name: 'Erinnern' }))
    await success('Mia Sommer wird gebeten, den Tag zu prüfen.')
    expect(sent.map(({ call }) => call)).toEqual(['POST /api/companies/c-1/review/e-2/remind'])
  })

  it('reminds nobody of what is settled meanwhile', async () => {
    open({
      'POST /api/companies/c-1/review/e-2/remind': () => refusal(409, 'Hier ist nichts mehr zu prüfen.'),
    })
    const reviewPanel = await mias()
    await userEvent.click(reviewPanel.getByRole('button', { name: 'Erinnern' }))
    expect(await reviewPanel.findByText('Hier ist nichts mehr zu prüfen.')).toBeTruthy()
  })

  it('deletes only after asking; what is settled stays below, and can be looked at again', async () => {
    open({
      'DELETE /api/work-times/e-2': () => {
        rows = rows.filter(({ entryId }) => entryId !== 'e-2')
        return new HttpResponse(null, { status: 204 })
      },
    })
    const reviewPanel = await mias()
    await userEvent.click(reviewPanel.getByRole('button', { name: 'Löschen' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Zeiteintrag von Mia Sommer löschen' }))
    expect(sent).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Eintrag löschen' }))
    await success('Eintrag entfernt.')
    const settledRegion = within(await screen.findByRole('region', { name: 'Erledigt, seit du hier bist' }))
    expect(settledRegion.getByRole('listitem').textContent).toContain('gelöscht')
    await userEvent.click(settledRegion.getByRole('button', { name: `Noch einmal ansehen: ${MIAS}` }))
    expect(await screen.findByRole('dialog', { name: MIAS })).toBeTruthy()
  })

  it('corrects in the person’s name, filled in with what stands there', async () => {
    open({ 'POST /api/time-corrections': () => HttpResponse.json({}, { status: 201 }) })
    const reviewPanel = await mias()
    await userEvent.click(reviewPanel.getByRole('button', { name: 'Korrigieren' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Zeit von Mia Sommer korrigieren' }))
    expect(dialog.getByText(/Die Person bekommt eine Nachricht/)).toBeTruthy()
    // Buttons work once the service is reachable, and later answers restart the form.
    await eventually(() => {
      const hours = dialog.getByLabelText('Kommen: Stunden')
      expect(hours).toHaveProperty('value', '06')
      expect(hours.closest('fieldset')?.disabled).toBe(false)
    })
    await userEvent.click(dialog.getByRole('button', { name: 'Korrektur speichern' }))
    await dialog.findByText('Bitte das Gehen angeben.')
    await userEvent.type(dialog.getByLabelText('Gehen: Stunden'), '1615')
    await userEvent.click(dialog.getByRole('button', { name: 'Korrektur speichern' }))
    await success('Korrektur gespeichert.')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      date: '2026-11-18',
      newStart: '06:30',
      newEnd: '16:15',
      userId: 'u-1',
      entryId: 'e-2',
    })
  })

  it('that others settle goes by itself, and is said to be settled', async () => {
    open()
    await mias()
    rows = rows.slice(1)
    await eventually(() => expect(events.open).toHaveLength(1))
    act(() => events.open[0]?.say({ type: 'plan_update' }))
    const settledRegion = await screen.findByRole('region', { name: 'Erledigt, seit du hier bist' })
    expect(settledRegion.textContent).toContain('erledigt')
  })
})

describe('stamps that wait', () => {
  it('are nowhere where there are none, and say so where they do not come', async () => {
    open({ held: () => refusal(500, 'Da ging etwas schief.') })
    expect(await screen.findByText('Die wartenden Stempel konnten nicht geladen werden.')).toBeTruthy()
  })

  it('of an unknown tag are given to somebody from their own instant on', async () => {
    openWithHeld({ 'POST /api/companies/c-1/held-stamps/assign': () => HttpResponse.json({ booked: 2 }) })
    await userEvent.click(await screen.findByRole('button', { name: /^Wem gehört er\? 04D5/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'Zuordnen und buchen' }))
    expect(await screen.findByText('Bitte Mitarbeiter auswählen.')).toBeTruthy()
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByRole('status').textContent).toBe(
      'Gebucht wird 1 Stempel:19. November, 07:02 Uhr an der Uhr „Werkstatt am Tor 2“',
    )
    await pick('Person', 'Mia Sommer')
    await userEvent.click(screen.getByRole('button', { name: 'Zuordnen und buchen' }))
    await success('2 Stempel gebucht.')
    expect(sent[0]?.body).toEqual({ tag: '04D5E6F7A8B9C0', userId: 'u-1', from: '2026-11-19T06:02:11.000Z' })
  })

  it('are given by nobody who may not manage people', async () => {
    modules = []
    openWithHeld()
    expect(await screen.findByText('Chips ordnet zu, wer Mitarbeiter verwalten darf.')).toBeTruthy()
  })

  it('are booked as they stand, or discarded after asking', async () => {
    const answer = () => HttpResponse.json({ state: 'booked' })
    openWithHeld({
      'POST /api/companies/c-1/held-stamps/s-2/resolve': answer,
      'POST /api/companies/c-1/held-stamps/s-1/resolve': answer,
    })
    await userEvent.click(await screen.findByRole('button', { name: /^Buchen: 04A1/ }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Buchen' }))
    await success('Stempel gebucht.')
    await userEvent.click(await screen.findByRole('button', { name: /^Verwerfen: 04D5/ }))
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Verwerfen' }),
    )
    await success('Stempel verworfen.')
    expect(sent.map(({ body }) => body)).toEqual([{ action: 'book' }, { action: 'discard' }])
  })
})
