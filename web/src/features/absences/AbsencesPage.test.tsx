import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { fill, renderPage, success } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { holdTimers } from '../../../tests/timers'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { discard, listOf } from '../../offline/outbox'
import { keep, wipe } from '../../offline/snapshots'
import { AbsencesPage } from './AbsencesPage'
import { samples } from './samples'
import { type LeaveRequest, type Policy, PREVIEW_DELAY_MS } from './useAbsences'

const answers = samples[0]?.answers ?? {}
const POLICY = answers['GET /api/vacation-policy/mine'] as Policy
const REQUESTS = answers['GET /api/vacation-requests/mine'] as LeaveRequest[]
const ABSENCES = answers['GET /api/users/u-1/absences'] as object[]

serve()
beforeEach(async () => {
  reload()
  logInAs()
  reportReached()
  await wipe()
  await discard()
  layEvents()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
  lay({})
})
afterEach(() => {
  reportReached()
})

interface Laid {
  policy?: Partial<Policy>
  requests?: readonly LeaveRequest[]
  absences?: readonly object[]
}

function lay({ policy = {}, requests = REQUESTS, absences = ABSENCES }: Laid) {
  server.use(
    http.get(url('/api/vacation-policy/mine'), () => HttpResponse.json({ ...POLICY, ...policy })),
    http.get(url('/api/vacation-requests/mine'), () => HttpResponse.json(requests)),
    http.get(url('/api/users/u-1/absences'), () => HttpResponse.json(absences)),
  )
}

const open = () => renderPage(<Page />)

function Page() {
  const [month, setMonth] = useState('2026-11')
  return <AbsencesPage userId="u-1" month={month} onMonth={setMonth} />
}

const account = () => screen.findByRole('region', { name: 'Urlaub' })
const requests = async () => within(await screen.findByRole('region', { name: 'Deine Anträge' }))
const absences = async () => within(await screen.findByRole('region', { name: 'Krank und gefehlt' }))

async function ask(name: string | RegExp) {
  const [button] = await screen.findAllByRole('button', { name })
  await userEvent.click(button as HTMLElement)
  return within(await screen.findByRole('dialog'))
}

describe('the vacation account', () => {
  it('says what remains of how much, and what that is made of', async () => {
    open()
    const accountRegion = await account()
    await waitFor(() => expect(accountRegion.textContent).toContain('Noch 12,5 von 32\u00a0Tagen'))
    expect([...accountRegion.querySelectorAll('dl > div')].map(fact => fact.textContent)).toEqual([
      'Genehmigt19,5\u00a0Tage',
      'Beantragt3,5\u00a0Tage',
      'Jahresurlaub30\u00a0Tage',
      'Aus dem Vorjahr2\u00a0Tage',
    ])
  })

  it('says that vacation is switched off, and asks for wishes alone then', async () => {
    lay({ policy: { vacationEnabled: false, myAllowance: 0, carried: 0, used: 0, remainingDays: 0 } })
    open()
    await within(await account()).findByText('Urlaub ist derzeit deaktiviert.')
    const dialog = await ask('Urlaub oder Wunschfrei beantragen')
    expect(dialog.getByRole('radio', { name: 'Urlaub' })).toHaveProperty('disabled', true)
    expect(dialog.getByRole('radio', { name: 'Wunschfrei' })).toHaveProperty('checked', true)
    expect(dialog.getByText('Urlaub ist derzeit deaktiviert.')).toBeTruthy()
  })
})

describe('the own requests', () => {
  it('have days, state, reason and what was said about them', async () => {
    open()
    const requestList = await requests()
    await requestList.findAllByText('Offen')
    const cards = requestList.getAllByRole('listitem').map(card => card.textContent)
    expect(cards[0]).toContain('UrlaubOffen28.–31. Dezember 2026letzter Tag bis mittags3,5\u00a0Tage')
    expect(cards[1]).toContain('WunschfreiOffenSamstag, 5. Dezember 2026kostet keine Urlaubstage')
    expect(cards[2]).toContain('Abgelehnt')
    expect(cards[2]).toContain('Anmerkung der Verwaltung: Da ist die Küche')
    expect(cards[3]).toContain('Genehmigt')
  })

  it('name the company holidays that they leave out', async () => {
    const leftOut = [{ startDate: '2026-12-29', endDate: '2026-12-30' }]
    const [first, ...rest] = REQUESTS
    lay({ requests: [{ ...(first as LeaveRequest), leftOut }, ...rest] })
    open()
    const requestList = await requests()
    await requestList.findByText('ohne 29.–30. Dezember 2026')
  })

  it('are withdrawn once that is confirmed, and stay where the service refuses', async () => {
    let calls = 0
    server.use(
      http.delete(url('/api/vacation-requests/v-4'), () => {
        calls += 1
        return calls === 1
          ? refusal(409, 'Über diesen Antrag wurde bereits entschieden.')
          : new HttpResponse(null, { status: 204 })
      }),
    )
    open()
    const dialog = await ask(/^Zurückziehen: Urlaub/)
    const confirm = () => userEvent.click(dialog.getByRole('button', { name: 'Zurückziehen' }))
    await confirm()
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'Zurückziehen fehlgeschlagen.Über diesen Antrag wurde bereits entschieden.',
    )
    await confirm()
    await success('Antrag zurückgezogen.')
  })

  it('that are approved and still to come may be wished to be cancelled, once, with a reason', async () => {
    const coming = {
      ...(REQUESTS[3] as LeaveRequest),
      id: 'v-9',
      endDate: '2026-12-11',
      startDate: '2026-12-07',
    }
    const past = { ...coming, id: 'v-8', startDate: '2026-11-02', endDate: '2026-11-06' }
    const wished = { ...coming, id: 'v-7', cancelRequested: true }
    lay({ requests: [coming, past, wished] })
    const sent: unknown[] = []
    server.use(
      http.post(url('/api/vacation-requests/v-9/cancel-request'), async ({ request }) => {
        sent.push(await request.json())
        return sent.length === 1
          ? refusal(409, 'Alle Tage sind schon vergangen.')
          : HttpResponse.json({ ...coming, cancelRequested: true })
      }),
    )
    open()
    const requestList = await requests()
    await requestList.findByText('Stornierung gewünscht')
    expect(requestList.getAllByRole('button', { name: /^Stornierung wünschen/ })).toHaveLength(1)
    const dialog = await ask(/^Stornierung wünschen/)
    await userEvent.type(dialog.getByLabelText('Grund (freiwillig)'), 'Die Reise fällt aus.')
    const confirm = () => userEvent.click(dialog.getByRole('button', { name: 'Um Stornierung bitten' }))
    await confirm()
    await dialog.findByText('Alle Tage sind schon vergangen.')
    await confirm()
    await success('Deine Verwaltung sieht jetzt, dass du stornieren möchtest.')
    expect(sent).toEqual(Array(2).fill({ reason: 'Die Reise fällt aus.' }))
  })

  it('beyond the last five come when they are asked for, but what is open is always there', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...(REQUESTS[3] as LeaveRequest),
      id: `old-${index}`,
      status: index === 7 ? ('pending' as const) : ('approved' as const),
    }))
    lay({ requests: many })
    open()
    const requestList = await requests()
    const moreButton = await requestList.findByRole('button', { name: '2 ältere Anträge anzeigen' })
    expect(requestList.getAllByRole('listitem')).toHaveLength(6)
    await userEvent.click(moreButton)
    expect(requestList.getAllByRole('listitem')).toHaveLength(8)
  })
})

describe('an own Krankmeldung', () => {
  const sick = (id: string, date: string, status = 'open') => ({
    ...ABSENCES[0],
    id,
    date,
    status,
    reportId: 'r-9',
  })

  it.each([
    ['all its open days', null, 'b-2?report=true'],
    ['one of them', 'Freitag, 6. November 2026', 'b-3?report=false'],
  ])('is withdrawn while it is open: %s', async (_, day, called) => {
    lay({
      absences: [sick('b-1', '2026-11-04', 'excused'), sick('b-2', '2026-11-05'), sick('b-3', '2026-11-06')],
    })
    let requestUrl = ''
    server.use(
      http.delete(url('/api/absences/:id'), ({ request, params }) => {
        requestUrl = `${params.id}${new URL(request.url).search}`
        return new HttpResponse(null, { status: 204 })
      }),
    )
    open()
    const dialog = await ask(/^Zurückziehen: 4\./)
    if (day !== null) {
      await userEvent.click(dialog.getByRole('combobox', { name: 'Welche Tage?' }))
      await userEvent.click(await screen.findByRole('option', { name: day, hidden: true }))
    }
    await userEvent.click(dialog.getByRole('button', { name: 'Zurückziehen' }))
    await success('Krankmeldung zurückgezogen.')
    expect(requestUrl).toBe(called)
  })

  it('that was decided, or a day that was missed, is not withdrawn', async () => {
    lay({
      absences: [
        sick('b-1', '2026-11-04', 'excused'),
        { ...sick('b-2', '2026-11-05'), kind: 'missing', reportId: 'r-8' },
      ],
    })
    open()
    const absenceList = await absences()
    await absenceList.findByText('Entschuldigt')
    expect(absenceList.queryByRole('button', { name: /^Zurückziehen/ })).toBeNull()
  })
})

describe('asking for leave', () => {
  const preview = (answer: () => Response) =>
    server.use(http.get(url('/api/vacation-requests/preview'), answer))
  const PREVIEW = {
    days: 3,
    holidays: [{ date: '2026-12-25', name: '1. Weihnachtstag' }],
    freeDays: 0,
    leftOut: [] as { startDate: string; endDate: string }[],
    remainingAfter: 12.5,
    reservedAfter: 3,
    overlaps: false,
    warnings: [] as { code: string; date: string }[],
  }

  async function choose(first: string, last: string) {
    const dialog = await ask('Urlaub oder Wunschfrei beantragen')
    const type = async (label: string, day: string) => {
      const field = dialog.getByLabelText(label)
      await userEvent.clear(field)
      await fill(field, day)
      await userEvent.tab()
    }
    await type('Erster Tag', first)
    await type('Letzter Tag', last)
    return dialog
  }

  it('shows what it costs, what it saves and what remains, and asks once for days that have settled', async () => {
    let requestCount = 0
    preview(() => {
      requestCount += 1
      return HttpResponse.json(PREVIEW)
    })
    const settling = holdTimers(PREVIEW_DELAY_MS)
    open()
    const dialog = await choose('22.12.2026', '25.12.2026')
    expect(requestCount).toBe(0)
    act(() => settling.at(-1)?.())
    const previewBox = within(dialog.getByRole('region', { name: 'Vorschau' }))
    expect(
      await previewBox.findByText(
        'kostet 3 Tage · spart: 1. Weihnachtstag (25. Dezember) · danach noch 12,5 Tage',
        { exact: false },
      ),
    ).toBeTruthy()
    expect(requestCount).toBe(1)
  })

  it('warns of more than there is, of others that wait and of days that are taken', async () => {
    preview(() => HttpResponse.json({ ...PREVIEW, remainingAfter: -1, overlaps: true }))
    open()
    const dialog = await choose('22.12.2026', '25.12.2026')
    await dialog.findByText('Das ist 1 Tag mehr, als du hast. Deine Verwaltung entscheidet.')
    dialog.getByText('Im Zeitraum liegt bereits ein offener oder genehmigter Antrag.')
  })

  it('says which company holidays in it cost nothing more', async () => {
    const leftOut = [{ startDate: '2026-12-24', endDate: '2026-12-25' }]
    preview(() => HttpResponse.json({ ...PREVIEW, holidays: [], days: 2, freeDays: 2, leftOut }))
    open()
    const dialog = await choose('22.12.2026', '25.12.2026')
    await dialog.findByText(
      'Betriebsferien sind darin schon enthalten und kosten nicht noch einmal: 24.–25. Dezember 2026.',
    )
  })

  it('says that days on which the company is closed are no request', async () => {
    const sentence = 'In diesem Zeitraum ist die Firma ohnehin geschlossen.'
    preview(() => refusal(409, sentence, { code: 'company_closed' }))
    open()
    const dialog = await choose('24.12.2026', '25.12.2026')
    await dialog.findByText(sentence)
  })

  it('says of a wish that it costs nothing', async () => {
    preview(() => HttpResponse.json({ ...PREVIEW, days: 0 }))
    open()
    const dialog = await choose('22.12.2026', '22.12.2026')
    await userEvent.click(dialog.getByRole('radio', { name: 'Wunschfrei' }))
    await dialog.findByText('kostet keine Urlaubstage', { exact: false })
  })

  it('says why there is no preview', async () => {
    preview(() =>
      refusal(422, 'Bitte die Eingaben prüfen.', {
        errors: [{ field: 'startDate', message: 'Im Zeitraum liegt kein Arbeitstag.' }],
      }),
    )
    open()
    const dialog = await choose('26.12.2026', '27.12.2026')
    await dialog.findByText('Im Zeitraum liegt kein Arbeitstag.')
    act(() => reportUnreachable())
    await dialog.findByText('Vorschau erst mit Verbindung')
  })

  it('is not sent by Enter in a day, and not with both halves of one day', async () => {
    preview(() => HttpResponse.json(PREVIEW))
    open()
    const dialog = await ask('Urlaub oder Wunschfrei beantragen')
    await userEvent.type(dialog.getByLabelText('Erster Tag'), '22.12.2026{Enter}')
    expect(dialog.getByLabelText('Letzter Tag')).toHaveProperty('value', '22.12.2026')
    await userEvent.click(dialog.getByLabelText('Nur nachmittags'))
    await userEvent.click(dialog.getByLabelText('Nur vormittags'))
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag einreichen' }))
    await dialog.findByText('An einem einzelnen Tag kann nur eine Hälfte gewählt werden.')
  })

  it('says before it is sent on which of the days there are duties, as spans, and then only arrives', async () => {
    const warnings = ['23', '22', '25'].map(day => ({ code: 'duty', date: `2026-12-${day}` }))
    preview(() => HttpResponse.json({ ...PREVIEW, warnings }))
    server.use(
      http.post(url('/api/vacation-requests'), () =>
        HttpResponse.json({ id: 'v-9', warnings }, { status: 201 }),
      ),
    )
    open()
    const dialog = await choose('22.12.2026', '25.12.2026')
    await dialog.findByText(
      'Du bist eingeteilt: 22.–23. Dezember 2026, 25. Dezember 2026. Deine Verwaltung sieht das beim Entscheiden.',
    )
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag einreichen' }))
    expect(await screen.findByText('Antrag eingereicht.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says of approved vacation what of it came back, so that the sums add up', async () => {
    lay({ requests: [{ ...(REQUESTS[3] as LeaveRequest), days: 5, returned: 2 }] })
    open()
    const requestList = await requests()
    expect((await requestList.findByRole('listitem')).textContent).toContain(
      '5\u00a0Tage2\u00a0Tage zurück wegen Krankheit',
    )
  })

  it('is refused in the words of the service', async () => {
    preview(() => HttpResponse.json(PREVIEW))
    const sentence = 'Im Zeitraum liegt bereits ein offener oder genehmigter Antrag.'
    server.use(http.post(url('/api/vacation-requests'), () => refusal(409, sentence)))
    open()
    const dialog = await choose('22.12.2026', '25.12.2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag einreichen' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(`Antrag fehlgeschlagen.${sentence}`)
  })

  it('is written down without the service, and shown as waiting', async () => {
    open()
    await (await requests()).findAllByText('Offen')
    act(() => reportUnreachable())
    const dialog = await choose('22.12.2026', '25.12.2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Antrag einreichen' }))
    await success('Gespeichert. Wird gesendet, sobald der Server antwortet.')
    await (await requests()).findByText('Urlaub, 22.–25. Dezember 2026')
    const [letter] = await listOf(MIA.userId)
    expect(letter).toMatchObject({ kind: 'vacation', path: '/api/vacation-requests' })
  })
})

describe('absences', () => {
  it('stand by report, with their state, their message and what can be done', async () => {
    open()
    const list = await screen.findByRole('list', { name: 'Abwesenheiten im November 2026' })
    const [missed, ill] = [...list.children].map(card => card.textContent)
    expect(missed).toContain('GefehltOffenMontag, 16. November 2026')
    expect(missed).toContain('Deine Nachricht: Ich hatte mit Jan getauscht')
    expect(ill).toContain('3.–4. November 2026Entschuldigt')
    expect(ill).toContain('Donnerstag, 5. November 2026Offen')
    const names = [...list.querySelectorAll('button')].map(button => button.textContent)
    expect(names).toEqual([
      'Krank melden',
      'Krankmeldung hochladen',
      'Nachricht ändern',
      'Krankmeldung ansehen',
      'Krankmeldung ersetzen',
      'Zurückziehen',
      'Nachricht an die Verwaltung',
    ])
  })

  it('that are decided take no message any more, but a note', async () => {
    lay({ absences: [{ ...ABSENCES[0], sickNotePath: null }] })
    open()
    const list = await screen.findByRole('list', { name: 'Abwesenheiten im November 2026' })
    expect(
      within(list)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Krankmeldung hochladen'])
  })

  it('say what they are, what was said to them, and that nobody waits for a note any more', async () => {
    const [one] = ABSENCES
    lay({
      absences: [
        {
          ...one,
          id: 's-1',
          reportId: 'r-8',
          kind: 'special',
          reason: 'Sonderurlaub',
          comment: 'Alles Gute!',
        },
        { ...one, id: 's-2', reportId: 'r-9', date: '2026-11-02', certified: true, sickNotePath: null },
      ],
    })
    open()
    const list = await screen.findByRole('list', { name: 'Abwesenheiten im November 2026' })
    const [special, ill] = [...list.children].map(card => card.textContent)
    expect(special).toContain('SonderurlaubEntschuldigt')
    expect(special).toContain('Anmerkung der Verwaltung: Alles Gute!')
    expect(ill).toContain('bei der Krankenkasse abgerufen (eAU)')
  })

  it('that were taken back take nothing any more', async () => {
    lay({ absences: [{ ...ABSENCES[0], status: 'cancelled', sickNotePath: null }] })
    open()
    const list = await screen.findByRole('list', { name: 'Abwesenheiten im November 2026' })
    expect(list.textContent).toContain('Storniert')
    expect(within(list).queryByRole('button')).toBeNull()
  })

  it('take a message that is more than blanks', async () => {
    let sentBody: unknown = null
    server.use(
      http.post(url('/api/absences/a-4/message'), async ({ request }) => {
        sentBody = await request.json()
        return HttpResponse.json({})
      }),
    )
    open()
    const dialog = await ask(/^Nachricht ändern/)
    const send = dialog.getByRole('button', { name: 'Nachricht senden' })
    const field = dialog.getByLabelText('Nachricht')
    await userEvent.clear(field)
    await userEvent.type(field, '  ')
    expect(send).toHaveProperty('disabled', true)
    await userEvent.type(field, 'Ich war da. ')
    await userEvent.click(send)
    await success('Nachricht gesendet.')
    expect(sentBody).toEqual({ message: 'Ich war da.' })
  })

  it('begin with a Krankmeldung, after which a note can be handed in', async () => {
    let sentBody: unknown = null
    server.use(
      http.post(url('/api/absences'), async ({ request }) => {
        sentBody = await request.json()
        return HttpResponse.json([{ ...ABSENCES[0], id: 'a-9' }], { status: 201 })
      }),
    )
    open()
    const dialog = await ask('Krank melden')
    await userEvent.click(dialog.getByRole('button', { name: 'Krank melden' }))
    await dialog.findByText('Du bist krankgemeldet.')
    expect(sentBody).toEqual({ startDate: '2026-11-20', endDate: '2026-11-20' })
    await userEvent.click(dialog.getByRole('button', { name: 'Krankmeldung hochladen' }))
    expect(dialog.getByLabelText('Datei auswählen')).toBeTruthy()
  })

  it.each<[string, File, string]>([
    [
      'too large',
      new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'a.pdf'),
      'Die Datei ist zu groß (höchstens 10\u00a0MB).',
    ],
    ['empty', new File([], 'a.pdf'), 'Die Datei ist leer.'],
    [
      'something else',
      new File(['x'], 'a.txt', { type: 'text/plain' }),
      'Bitte ein Bild (JPG, PNG oder WebP) oder eine PDF-Datei hochladen.',
    ],
  ])('take no file that is %s', async (_what, file, sentence) => {
    open()
    const dialog = await ask(/^Krankmeldung hochladen/)
    await userEvent.upload(dialog.getByLabelText('Datei auswählen'), file, { applyAccept: false })
    expect((await dialog.findByRole('alert')).textContent).toBe(sentence)
  })

  it('say what becomes of a file, and show what came of it before they close', async () => {
    server.use(
      http.post(url('/api/absences/:id/upload-sick-note'), () => HttpResponse.json(ABSENCES[0])),
      http.get(url('/api/absences/:id/sick-note'), () =>
        HttpResponse.arrayBuffer(new ArrayBuffer(8), { headers: { 'Content-Type': 'application/pdf' } }),
      ),
    )
    Object.assign(URL, { createObjectURL: () => 'blob:note', revokeObjectURL: () => {} })
    const openWindow = vi.spyOn(window, 'open').mockReturnValue(window)
    open()
    const dialog = await ask(/^Krankmeldung hochladen/)
    const hint = /Text in einer PDF-Datei lässt sich danach nicht mehr markieren oder durchsuchen/
    expect(dialog.getByText(hint)).toBeTruthy()
    const choose = () =>
      userEvent.upload(
        dialog.getByLabelText('Datei auswählen'),
        new File(['x'], 'a.pdf', { type: 'application/pdf' }),
      )
    await choose()
    await userEvent.click(dialog.getByRole('button', { name: 'Hochladen' }))
    await success('Krankmeldung hochgeladen.')
    await dialog.findByText(/Sieh bitte nach, ob alles zu lesen ist/)
    await userEvent.click(dialog.getByRole('button', { name: /^Krankmeldung ansehen/ }))
    await waitFor(() => expect(openWindow).toHaveBeenCalledWith('blob:note', '_blank'))
    await userEvent.click(dialog.getByRole('button', { name: 'Andere Datei hochladen' }))
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Datei auswählen')))
    await choose()
    await userEvent.click(dialog.getByRole('button', { name: 'Hochladen' }))
    await userEvent.click(await dialog.findByRole('button', { name: 'Fertig' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('show a note of a kind that may be shown, until its address ends', async () => {
    server.use(
      http.get(url('/api/absences/a-1/sick-note'), () =>
        HttpResponse.arrayBuffer(new ArrayBuffer(8), { headers: { 'Content-Type': 'application/pdf' } }),
      ),
    )
    const createObjectURL = vi.fn(() => 'blob:note')
    const revoked = vi.fn()
    Object.assign(URL, { createObjectURL: createObjectURL, revokeObjectURL: revoked })
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const timerEnds = holdTimers(60_000)
    open()
    await userEvent.click(await screen.findByRole('button', { name: /^Krankmeldung ansehen/ }))
    await waitFor(() => expect(opened).toHaveBeenCalledWith('blob:note', '_blank'))
    // The browser has blocked the tab: a link opens the note.
    const link = await screen.findByRole('link', { name: 'Krankmeldung öffnen' })
    expect(link.getAttribute('href')).toBe('blob:note')
    expect(revoked).not.toHaveBeenCalled()
    for (const end of timerEnds) act(end)
    expect(revoked).toHaveBeenCalledWith('blob:note')
  })

  it('of other months come by the picker', async () => {
    open()
    const absenceList = await absences()
    await absenceList.findByText('Gefehlt')
    lay({ absences: [] })
    await userEvent.click(absenceList.getByRole('button', { name: 'Vorheriger Monat' }))
    await absenceList.findByText('Im Oktober 2026 gibt es keine Abwesenheit.')
    await userEvent.click(absenceList.getByRole('button', { name: 'Zum aktuellen Monat' }))
  })
})

describe('without answers', () => {
  it('each part says what could not be had, and can be asked for again', async () => {
    server.use(http.get(url('/api/*'), () => refusal(500, 'Interner Fehler.')))
    open()
    for (const sentence of [
      'Policy konnte nicht geladen werden.',
      'Anträge konnten nicht geladen werden.',
      'Abwesenheiten konnten nicht geladen werden.',
    ])
      await screen.findByText(sentence)
    expect(screen.getAllByRole('button', { name: 'Erneut versuchen' })).toHaveLength(3)
  })

  it('what was read last is shown, with its age', async () => {
    const saved = Date.parse('2026-11-19T16:30:00Z')
    await keep('u-1', 'vacation-policy', POLICY, saved)
    await keep('u-1', 'vacation-requests', REQUESTS, saved)
    server.use(http.all(url('/api/*'), () => HttpResponse.error()))
    open()
    await eventually(async () => expect((await account()).textContent).toContain('Noch 12,5'))
    await eventually(() => screen.getByText('Stand vom 19. November, 17:30 Uhr.'))
    await screen.findByText('Dieser Monat ist auf diesem Gerät noch nicht gespeichert.')
  })
})
