import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { fill, renderPage, success } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { CalendarPage } from './CalendarPage'
import { answers, leave, people, person } from './samples'
import { YearPage } from './YearPage'
import { carryFrom, carryTyped, daysFrom, marksOf, previewOf } from './year'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
const COMPANY = '/api/companies/c-1'
let sent: { call: string; body: unknown }[] = []

beforeEach(() => {
  reload()
  logInAs(BOSS)
  reportReached()
  layEvents()
  sent = []
})

function open(more: ReturnType<typeof http.get>[] = [], Shown = YearPage, at = '/') {
  const record = async (request: Request, answer: object) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace(COMPANY, '')}`
    const body = request.method === 'DELETE' ? null : await request.json()
    if (!request.url.endsWith('dryRun=true')) sent.push({ call, body })
    return HttpResponse.json(answer)
  }
  server.use(
    ...more,
    http.get(url(`${COMPANY}/features`), () =>
      HttpResponse.json([{ id: 'f-1', key: 'manage_employees', label: 'Mitarbeiter verwalten' }]),
    ),
    ...Object.entries(answers).map(([call, body]) =>
      http.get(url(call.replace('GET ', '')), () => HttpResponse.json(body as object)),
    ),
    http.post(url(`${COMPANY}/vacation-notices`), ({ request }) => record(request, { sent: 2 })),
    http.post(url(`${COMPANY}/closures`), ({ request }) =>
      record(request, {
        ...answers[`GET ${COMPANY}/closures`][0],
        created: 1,
        skipped: [{ userId: 'u-1', reason: 'too_few_days' }],
      }),
    ),
    http.delete(url(`${COMPANY}/closures/k-1`), ({ request }) => {
      sent.push({ call: `DELETE ${new URL(request.url).pathname.replace(COMPANY, '')}`, body: null })
      return new HttpResponse(null, { status: 204 })
    }),
    http.put(url(`${COMPANY}/vacation-policy`), ({ request }) => record(request, { months: [] })),
  )
  renderPage(<Shown session={BOSS} />, at)
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  if ((field as HTMLInputElement).value) await userEvent.clear(field)
  await fill(field, text)
}
const inDialog = async (name: string) =>
  userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))

describe('the year', () => {
  it.each([
    ['vacation-notices', /Urlaub konnte nicht geladen werden/],
    ['vacation-policy', /Policy konnte nicht geladen werden/],
    ['closures', /Betriebsferien konnten nicht geladen werden/],
  ])('says so where %s cannot be loaded', async (what, sentence) => {
    open([http.get(url(`${COMPANY}/${what}`), () => refusal(403))])
    expect(await screen.findByText(sentence)).not.toBeNull()
  })

  it.each([
    ['the year', YearPage],
    ['the calendar', CalendarPage],
  ])('leads from everybody to them, in %s', async (_, Shown) => {
    open([], Shown)
    const link = await screen.findByRole('link', { name: 'Mia Sommer' })
    expect(link.getAttribute('href')).toContain('tab=manage_employees&person=u-1')
  })

  it('tells those whose days no notice has named, after a question', async () => {
    open()
    await press('2 Hinweise senden')
    expect(sent).toEqual([])
    await inDialog('2 Hinweise senden')
    await success('2 Hinweise gesendet.')
    expect(sent).toEqual([
      { call: 'POST /vacation-notices', body: { year: new Date().getFullYear(), userIds: ['u-4', 'u-1'] } },
    ])
  })

  it('tells nobody of a year that has not begun', async () => {
    open()
    await press(`Urlaub ${new Date().getFullYear() + 1} zeigen`)
    expect(await screen.findByText(/^Dieses Urlaubsjahr hat noch nicht begonnen\./)).not.toBeNull()
    expect(screen.queryByRole('button', { name: /Hinweise? senden$/ })).toBeNull()
  })

  it('tells whom is chosen alone, and lets nobody be chosen of whom there is nothing to tell', async () => {
    open()
    await userEvent.click(await screen.findByRole('checkbox', { name: /Mia Sommer/ }))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Öznur Çelik/ }).disabled).toBe(true)
    await press('1 Person auf Verfall hinweisen')
    await inDialog('1 Hinweis senden')
    await waitFor(() =>
      expect(sent.map(({ body }) => body)).toEqual([{ year: new Date().getFullYear(), userIds: ['u-1'] }]),
    )
  })

  it('says why a notice was refused', async () => {
    open([
      http.post(url(`${COMPANY}/vacation-notices`), () =>
        refusal(409, 'Die Frist für diesen Urlaub ist schon vorbei.'),
      ) as never,
    ])
    await press('2 Hinweise senden')
    await inDialog('2 Hinweise senden')
    expect(await screen.findByText(/Die Frist für diesen Urlaub ist schon vorbei/)).not.toBeNull()
  })

  it('shows who was told what, and who has read it', async () => {
    open()
    expect(await screen.findByText('gelesen 06.10.2026')).not.toBeNull()
    expect(screen.getByText(/nannte nur 4/)).not.toBeNull()
    expect(screen.getByText('nicht gesendet')).not.toBeNull()
  })
})

describe('company holidays', () => {
  it('are taken away only after a question', async () => {
    open()
    await press('Zwischen den Jahren entfernen')
    await inDialog('Entfernen')
    await success('Betriebsferien entfernt.')
    expect(sent).toEqual([{ call: 'DELETE /closures/k-1', body: null }])
  })

  it('are entered, and who was left out is named', async () => {
    open()
    await press('Betriebsferien eintragen')
    await type('Erster Tag', '28.12.2027')
    await type('Letzter Tag', '30.12.2027')
    await inDialog('Betriebsferien eintragen')
    const skipped = await screen.findByText(/hat zu wenige Urlaubstage/)
    expect(skipped.textContent).toMatch(/^Mia Sommer hat zu wenige Urlaubstage/)
    expect(sent[0]?.body).toEqual({
      startDate: '2027-12-28',
      endDate: '2027-12-30',
      name: 'Betriebsferien',
    })
  })
})

describe('the policy', () => {
  it('refuses what is no number of days and no day of the year', async () => {
    open()
    await type('Urlaubstage für alle', '30,3')
    await type('Resturlaub muss genommen werden bis', '31.02.')
    await press('Urlaubsregelung speichern')
    expect(await screen.findByText('Bitte ganze oder halbe Tage von 0 bis 366.')).not.toBeNull()
    expect(screen.getByText('Bitte als Tag und Monat, etwa 31.03.')).not.toBeNull()
    expect(sent).toEqual([])
  })

  it('is saved as a whole', async () => {
    open()
    await type('Urlaubstage für alle', '27,5')
    await press('Urlaubsregelung speichern')
    await success('Urlaubspolicy gespeichert.')
    expect(sent.at(-1)?.body).toEqual({
      mode: 'uniform',
      uniformDays: 27.5,
      perUser: {},
      carryUntil: '03-31',
      scaleByWorkdays: false,
    })
  })

  it('scales uniform days to the workdays of a week', async () => {
    open()
    await userEvent.click(await screen.findByLabelText('Nach Arbeitstagen in der Woche umrechnen'))
    await press('Urlaubsregelung speichern')
    await success('Urlaubspolicy gespeichert.')
    expect(sent.at(-1)?.body).toMatchObject({ uniformDays: 30, scaleByWorkdays: true })
  })
})

describe('the calendar', () => {
  it('shows who is away, half or perhaps, and how many', async () => {
    open([], CalendarPage, '/?monat=2026-11')
    expect((await screen.findAllByRole('img', { name: 'weg' })).length).toBe(6)
    expect(screen.getAllByRole('img', { name: 'halb weg' }).length).toBe(1)
    expect(screen.getAllByRole('img', { name: 'beantragt' }).length).toBe(5)
  })
})

describe('its figures', () => {
  it('come of what is left and what was named', () => {
    expect(previewOf(people)).toEqual({ carries: 21.5, lapses: 10, until: '2027-03-31', toTell: 2 })
    expect(previewOf([person('a', 'a', { until: null })]).toTell).toBe(0)
  })

  it.each([
    ['31.03.', '03-31'],
    ['1.4', '04-01'],
    ['', null],
    ['29.02.', undefined],
    ['31.04.', undefined],
    ['13', undefined],
  ])('know the day of the year %s', (text, carry) => {
    expect(carryFrom(text)).toBe(carry)
    if (typeof carry === 'string') expect(carryFrom(carryTyped(carry))).toBe(carry)
  })

  it.each([
    ['27,5', 27.5],
    ['0', 0],
    [' ', null],
    ['-1', undefined],
    ['1,2', undefined],
    ['400', undefined],
  ])('know the days %s', (text, days) => expect(daysFrom(text)).toBe(days))

  it('company holidays that leave does not hold are no days of it', () => {
    const leftOut = [{ startDate: '2026-11-19', endDate: '2026-11-20' }]
    const marks = marksOf([{ ...leave('a', 'u', '2026-11-18', '2026-11-20'), leftOut }], '2026-11')
    expect([...(marks.get('u')?.keys() ?? [])]).toEqual(['2026-11-18'])
  })

  it('two halves of a day are the whole of it, and what is approved stands above what is asked for', () => {
    const day = ['2026-11-19', '2026-11-19'] as const
    const halves = [
      { ...leave('a', 'u', ...day), endHalf: true },
      { ...leave('b', 'u', ...day), startHalf: true },
      { ...leave('c', 'u', ...day), status: 'pending' as const },
    ]
    expect(marksOf(halves, '2026-11').get('u')?.get('2026-11-19')).toBe('away')
    expect(marksOf(halves.slice(1), '2026-11').get('u')?.get('2026-11-19')).toBe('half')
    expect(marksOf([{ ...leave('d', 'u', ...day), status: 'declined' }], '2026-11').size).toBe(0)
  })
})
