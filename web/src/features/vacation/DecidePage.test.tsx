import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { fill, renderPage, success, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { onScale } from './DayBars'
import { DecidePage } from './DecidePage'
import { initials } from './Strip'
import { absence, corrected, correction, leave, preview } from './samples'

serve()

const PEOPLE = [
  { id: 'u-2', username: 'Finn Maurer', role: 'user' },
  { id: 'u-9', username: 'Root', role: 'admin' },
]

let sent: { path: string; body: unknown }[]
let previewAnswer: ReturnType<typeof preview>
beforeEach(() => {
  layEvents()
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  sent = []
  previewAnswer = preview()
})

/** The service has these lists, and accepts every decision except those in `refused`. */
function lay(
  lists: Record<string, readonly object[]>,
  refused: (path: string, body: unknown) => Response | undefined = () => undefined,
  search = '',
) {
  server.use(
    http.get(url('/api/companies/c-1/features'), () => HttpResponse.json([])),
    http.get(url('/api/companies/c-1/users'), () => HttpResponse.json(PEOPLE)),
    http.get(url('/api/vacation-requests/preview'), () => HttpResponse.json(previewAnswer)),
    http.get(url('/api/time-corrections/:id/preview'), () => HttpResponse.json(corrected())),
    http.get(url('/api/companies/c-1/:list'), ({ request, params }) => {
      const status = new URL(request.url).searchParams.get('status')
      return HttpResponse.json(lists[`${params.list} ${status}`] ?? [])
    }),
    http.post(url('/api/:list/:id/:decision'), async ({ request, params }) => {
      const text = await request.text()
      const body = text && JSON.parse(text)
      sent.push({ path: `${params.list}/${params.id}/${params.decision}`, body })
      return refused(String(params.id), body) ?? HttpResponse.json({})
    }),
    http.post(url('/api/:list'), async ({ request, params }) => {
      const body = await request.json()
      sent.push({ path: `${params.list}`, body })
      return refused('', body) ?? HttpResponse.json({}, { status: 201 })
    }),
    http.put(url('/api/vacation-requests/:id'), async ({ request, params }) => {
      const body = await request.json()
      sent.push({ path: `${params.id}`, body })
      return refused(String(params.id), body) ?? HttpResponse.json({})
    }),
  )
  return renderPage(<DecidePage companyId="c-1" />, `/company-dashboard?tab=absences${search}`)
}

const part = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const act = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }))

describe('what waits for a decision', () => {
  it('that cannot be loaded says so in the words that are fixed', async () => {
    server.use(http.get(url('/api/companies/c-1/absences'), () => refusal(500, '')))
    renderPage(<DecidePage companyId="c-1" />, '/company-dashboard')
    await screen.findByText(/Abwesenheiten konnten nicht geladen werden\./)
  })

  it('stands beside the way to the vacation policy', async () => {
    lay({})
    const link = await screen.findByRole('link', { name: 'Urlaubsregelung' })
    expect(link.getAttribute('href')).toMatch(/tab=vacation_year$/)
  })

  it('is nothing, and says so', async () => {
    lay({})
    await screen.findByText('Hier wartet nichts auf dich.')
  })

  it.each([
    [
      'absences',
      'absences open',
      absence('a-1', '2026-11-19'),
      'Entschuldigen',
      'Abwesenheit wurde entschuldigt.',
    ],
    ['absences', 'absences open', absence('a-1', '2026-11-19'), 'Ablehnen', 'Abwesenheit wurde abgelehnt.'],
    ['requests', 'vacation-requests pending', leave('v-1'), 'Genehmigen', 'Antrag genehmigt.'],
    ['requests', 'vacation-requests pending', leave('v-1'), 'Ablehnen', 'Antrag abgelehnt.'],
    [
      'corrections',
      'time-corrections pending',
      correction('k-1'),
      'Genehmigen',
      'Zeitkorrektur wurde genehmigt.',
    ],
    [
      'corrections',
      'time-corrections pending',
      correction('k-1'),
      'Ablehnen',
      'Zeitkorrektur wurde abgelehnt.',
    ],
  ])(
    'of %s is said to be decided in the words that are fixed (%#)',
    async (teil, list, row, button, sentence) => {
      lay({ [list]: [row] }, undefined, `&teil=${teil}`)
      await userEvent.click(await screen.findByRole('button', { name: button }))
      window.dispatchEvent(new Event('pagehide'))
      await success(sentence)
    },
  )

  it('is a report of illness as a whole, which is excused with all its days once one leaves', async () => {
    const { unmount } = lay({ 'absences open': [absence('a-1', '2026-11-19'), absence('a-2', '2026-11-20')] })
    const list = await screen.findByRole('list', { name: 'Abwesenheiten' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(1)
    await act('Entschuldigen, eAU abgerufen')
    expect(sent).toEqual([])
    unmount()
    const body = { certified: true, comment: null, wholeReport: true }
    await waitFor(() => expect(sent).toEqual([{ path: 'absences/a-1/excuse', body }]))
  })

  it('stands in the order in which it came, as on “Heute”: the oldest first', async () => {
    lay({
      'vacation-requests pending': [
        leave('r-2', { createdAt: '2026-11-20T09:00:00.000Z', username: 'Zuletzt' }),
        leave('r-1', { createdAt: '2026-11-18T09:00:00.000Z', username: 'Zuerst' }),
      ],
    })
    await part('Urlaub und Wunschfrei')
    const list = await screen.findByRole('list', { name: 'Urlaub und Wunschfrei' })
    const [first, second] = within(list).getAllByRole('listitem')
    expect([first?.textContent, second?.textContent]).toEqual([
      expect.stringContaining('Zuerst'),
      expect.stringContaining('Zuletzt'),
    ])
  })

  it('has leave whose person wishes it to be cancelled, which needs a sentence', async () => {
    const wish = leave('v-1', {
      status: 'approved',
      cancelRequested: true,
      cancelReason: 'Die Reise fällt aus.',
    })
    const { unmount } = lay({ 'vacation-requests cancel_requested': [wish] })
    await part('Urlaub und Wunschfrei')
    await screen.findByText('Die Reise fällt aus.')
    await act('Stornieren')
    await userEvent.type(screen.getByRole('textbox'), 'Auf deinen Wunsch.')
    await act('Stornieren')
    unmount()
    await waitFor(() =>
      expect(sent).toEqual([
        { path: 'vacation-requests/v-1/cancel', body: { comment: 'Auf deinen Wunsch.', passedDays: false } },
      ]),
    )
  })

  it('is never cancelled and approved by one press', async () => {
    const wish = leave('v-1', { status: 'approved', cancelRequested: true, username: 'Ayse' })
    lay({ 'vacation-requests pending': [leave('v-2')], 'vacation-requests cancel_requested': [wish] })
    await part('Urlaub und Wunschfrei')
    const list = await screen.findByRole('list', { name: 'Urlaub und Wunschfrei' })
    for (const box of within(list).getAllByRole('checkbox')) await userEvent.click(box)
    expect(
      screen.queryByRole('button', { name: /^(Genehmigen|Stornieren|Ablehnen|Urlaub behalten)/ }),
    ).toBeNull()
  })

  it('cannot be approved without a start, and says so', async () => {
    lay({ 'time-corrections pending': [correction('k-1', { newStart: null })] })
    await part('Zeitkorrekturen')
    await screen.findByText('Startzeit fehlt. Bitte Startzeit angeben, bevor du genehmigst.')
    expect(screen.queryByRole('button', { name: /^Genehmigen/ })).toBeNull()
    screen.getByRole('button', { name: /^Ablehnen/ })
  })

  it('is a correction that is declined with the sentence that its person reads', async () => {
    const { unmount } = lay(
      { 'time-corrections pending': [correction('k-1')] },
      undefined,
      '&teil=corrections',
    )
    await userEvent.type(await screen.findByRole('textbox'), 'Da war zu.')
    await act('Ablehnen')
    unmount()
    const body = { comment: 'Da war zu.' }
    await waitFor(() => expect(sent).toEqual([{ path: 'time-corrections/k-1/decline', body }]))
  })

  it('is decided for the days that are ticked, and what is left of the report waits on', async () => {
    const { unmount } = lay({
      'absences open': [
        absence('a-1', '2026-11-19'),
        absence('a-2', '2026-11-20'),
        absence('a-3', '2026-11-21'),
      ],
    })
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Freitag, 20. November 2026' }))
    await act('Ablehnen')
    unmount()
    const body = { certified: false, comment: null, wholeReport: false, days: ['a-3'] }
    await waitFor(() => expect(sent).toEqual([{ path: 'absences/a-1/decline', body }]))
  })

  it('says of illness in approved vacation what comes back', async () => {
    previewAnswer = preview({ days: 2 })
    lay({
      'absences open': [absence('a-1', '2026-11-19'), absence('a-2', '2026-11-20')],
      'vacation-requests approved': [
        leave('v-9', { status: 'approved', startDate: '2026-11-16', endDate: '2026-11-20' }),
      ],
    })
    await screen.findByText(/Mit Krankschreibung kommen 2.Tage zurück/)
  })

  it('says of illness on days that leave leaves out nothing of that leave', async () => {
    previewAnswer = preview({ days: 2 })
    const ownAbsence = { status: 'approved', startDate: '2026-11-19', endDate: '2026-11-20' } as const
    const leftOut = [{ startDate: '2026-11-19', endDate: '2026-11-20' }]
    lay({
      'absences open': [absence('a-1', '2026-11-19'), absence('a-2', '2026-11-20')],
      'vacation-requests approved': [
        leave('v-9', { ...ownAbsence, startDate: '2026-11-16', endDate: '2026-11-24', leftOut }),
        leave('v-10', ownAbsence),
      ],
    })
    await screen.findByText(/Mit Krankschreibung kommen 2.Tage zurück/)
    expect(screen.getAllByText(/Mit Krankschreibung/)).toHaveLength(1)
  })

  it('names the company holidays that a request contains and does not cost', async () => {
    const leftOut = [{ startDate: '2026-12-14', endDate: '2026-12-18' }]
    previewAnswer = preview({ leftOut })
    const request = leave('v-1', { startDate: '2026-12-10', endDate: '2026-12-22', leftOut })
    lay({ 'vacation-requests pending': [request] }, undefined, '&teil=requests')
    const panel = within(await screen.findByRole('region', { name: /Finn Maurer/ }))
    await panel.findByText('14.–18. Dezember 2026, schon als Urlaub eingetragen')
    panel.getByText('10.–22. Dezember 2026 ohne 14.–18. Dezember 2026')
  })

  it('has beside it what is left of each year, and sentences for what speaks against it', async () => {
    previewAnswer = preview({
      remainingAfter: -1,
      years: [
        { year: 2026, remaining: 3 },
        { year: 2027, remaining: -1 },
      ],
      warnings: [{ code: 'duty', date: '2026-12-09' }],
    })
    lay({ 'vacation-requests pending': [leave('v-1')] }, undefined, '&teil=requests')
    const panel = within(await screen.findByRole('region', { name: /Finn Maurer/ }))
    await panel.findByText(/Das ist 1.Tag mehr, als übrig sind/)
    panel.getByText('Danach übrig 2027')
    panel.getByText('Finn Maurer ist eingeteilt: 9. Dezember 2026.')
    panel.getByText(/Mia Sommer, Jonas Weber: 9. Dezember 2026/)
  })

  it('is what the address names', async () => {
    const two = [leave('v-1'), leave('v-2', { username: 'Ayse Demir' })]
    lay({ 'vacation-requests pending': two }, undefined, '&teil=requests&eintrag=v-2')
    await screen.findByRole('region', { name: /Ayse Demir/ })
  })

  it('of begun leave asks whether the days that have passed are meant too', async () => {
    const wish = leave('v-1', { status: 'approved', cancelRequested: true, startDate: '2020-01-01' })
    lay({ 'vacation-requests cancel_requested': [wish] }, undefined, '&teil=requests')
    await screen.findByRole('button', { name: 'Ganz stornieren' })
    screen.getByRole('button', { name: 'Ab heute stornieren' })
  })

  it('shows of a correction what it makes of the day, with breaks and what is lost', async () => {
    lay({ 'time-corrections pending': [correction('k-1')] }, undefined, '&teil=corrections')
    await screen.findByText('Fällt weg 16:00–17:14')
    screen.getByText('Davon Pause abgezogen')
    const total = screen.getByText('Unterschied').closest('div')
    expect(total?.textContent).toBe('Unterschied−0h 44m')
  })
})

describe('what was decided', () => {
  const approved = { 'vacation-requests approved': [leave('v-1', { status: 'approved' })] }

  it('is nothing of a kind, and says so', async () => {
    lay({}, undefined, '&teil=decided')
    await screen.findByText('Davon gibt es nichts.')
  })

  it('is an absence with the note that came later, and with what its person said', async () => {
    const late = absence('a-1', '2026-11-19', {
      status: 'declined',
      sickNotePath: '/api/absences/a-1/sick-note',
    })
    wide()
    lay({ 'absences declined': [late] }, undefined, '&teil=decided&eintrag=declined')
    const table = within(await screen.findByRole('table', { name: 'Abgelehnte Abwesenheiten' }))
    expect(table.getByRole('button', { name: 'Krankmeldung ansehen' })).toBeTruthy()
    expect(table.getByText('Ich komme am Montag wieder.')).toBeTruthy()
  })

  it('is moved with a sentence, and to more days than there are once that is ticked', async () => {
    const over = refusal(409, 'Der Antrag übersteigt den Resturlaub.', { code: 'over_allowance' })
    lay(
      approved,
      (_, body) => ((body as { overAllowance?: boolean }).overAllowance ? undefined : over),
      '&teil=decided',
    )
    await act('Ändern: Finn')
    const dialog = within(await screen.findByRole('dialog'))
    const send = () => userEvent.click(dialog.getByRole('button', { name: 'Ändern' }))
    await send()
    dialog.getByText('Bitte begründe es mit einem Satz.')
    expect(sent).toEqual([])
    await userEvent.type(dialog.getByLabelText('Begründung'), 'Inventur.')
    await send()
    await userEvent.click(await dialog.findByRole('checkbox', { name: /^Trotzdem/ }))
    await send()
    await success('Urlaub wurde geändert.')
    expect(sent.at(-1)).toMatchObject({ path: 'v-1', body: { comment: 'Inventur.', overAllowance: true } })
  })

  it('is cancelled with a sentence', async () => {
    lay(approved, undefined, '&teil=decided')
    await act('Weitere Aktionen')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Stornieren' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Begründung'), 'Inventur.')
    await userEvent.click(dialog.getByRole('button', { name: 'Stornieren' }))
    await success('Urlaub wurde storniert.')
    expect(sent).toEqual([
      { path: 'vacation-requests/v-1/cancel', body: { comment: 'Inventur.', passedDays: false } },
    ])
  })
})

describe('entering for somebody', () => {
  it('needs a person and days, and names no system administrator', async () => {
    lay({})
    await act('Abwesenheit eintragen')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Eintragen' }))
    dialog.getByText('Bitte eine Person wählen.')
    dialog.getByText('Bitte den ersten Tag wählen.')
    await userEvent.click(dialog.getByRole('combobox', { name: 'Wer' }))
    expect((await screen.findAllByRole('option')).map(element => element.textContent)).toEqual([
      'Finn Maurer',
    ])
  })

  it('takes a special absence with its reason, which is not paid where that is so', async () => {
    lay({})
    await act('Abwesenheit eintragen')
    const dialog = within(await screen.findByRole('dialog'))
    const choose = async (label: string, option: string) => {
      await userEvent.click(dialog.getByRole('combobox', { name: label }))
      await userEvent.click(await screen.findByRole('option', { name: option }))
    }
    await choose('Wer', 'Finn Maurer')
    await choose('Art', 'Andere Abwesenheit')
    await choose('Grund', 'Elternzeit')
    await fill(dialog.getByLabelText('Erster Tag'), '07.12.2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Eintragen' }))
    await success('Abwesenheit wurde eingetragen.')
    expect(sent).toEqual([
      {
        path: 'absences',
        body: {
          userId: 'u-2',
          startDate: '2026-12-07',
          endDate: '2026-12-07',
          kind: 'special',
          reason: 'Elternzeit',
          credited: false,
        },
      },
    ])
  })
})

describe('what is drawn', () => {
  it('names one who is away by initials, and more by their number', () => {
    expect([initials(['Mia Sommer']), initials(['öznur']), initials(['A', 'B'])]).toEqual(['MS', 'Ö', '+2'])
  })

  it('goes on past midnight in the order in which times are told', () => {
    const entry = (start: string, end: string) => ({ start, end, breakMinutes: 0, minutes: 0 })
    const night = [entry('22:00', '02:00'), entry('02:30', '06:00')]
    const { before, begins, ends } = onScale({ before: night, after: [], stamps: [], leavesOut: [] })
    expect(before).toEqual([
      { from: 1320, to: 1560 },
      { from: 1590, to: 1800 },
    ])
    expect([begins / 60, ends / 60]).toEqual([21, 31])
  })
})
