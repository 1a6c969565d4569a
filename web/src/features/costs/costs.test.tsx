import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { fill, renderPage, success, wide } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { CostsPage } from './CostsPage'
import { asTyped, centsFrom } from './money'
import { answers, config, month, year } from './samples'
import type { Config } from './useCosts'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
const COMPANY = '/api/companies/c-1'
let sent: unknown[] = []

beforeEach(() => {
  reload()
  logInAs(BOSS)
  reportReached()
  wide()
  sent = []
})

interface Laid {
  known?: Partial<Config>
  /** Months that every change would alter. */
  alters?: readonly string[]
  more?: ReturnType<typeof http.get>[]
}

function open({ known = {}, alters = [], more = [] }: Laid = {}) {
  server.use(
    ...more,
    http.get(url(`${COMPANY}/compensation-config`), () => HttpResponse.json({ ...config, ...known })),
    http.get(url(`${COMPANY}/compensation-costs`), ({ request }) =>
      HttpResponse.json(request.url.includes('year=') ? year : month),
    ),
    http.get(url(`${COMPANY}/features`), () => HttpResponse.json([])),
    http.get(url(`${COMPANY}/users`), () => HttpResponse.json(answers['GET /api/companies/c-1/users'])),
    http.put(url(`${COMPANY}/compensation-config`), async ({ request }) => {
      if (request.url.endsWith('dryRun=true')) {
        return HttpResponse.json({
          months: alters.map(month => ({ month, exported: true, locked: month === '2025-11' })),
        })
      }
      sent.push(await request.json())
      return HttpResponse.json({ ...config, validFrom: null })
    }),
  )
  renderPage(<CostsPage session={BOSS} />)
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Sätze speichern' }))
async function type(label: string, text: string) {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  if (text !== '') await fill(field, text)
  return field
}

describe('what cannot be had', () => {
  it('says so, the costs and the rates each by themselves', async () => {
    const no = () => refusal(403, 'Nicht freigeschaltet.')
    const paths = ['compensation-costs', 'compensation-config']
    open({ more: paths.map(path => http.get(url(`${COMPANY}/${path}`), no)) })
    expect(await screen.findByText('Kosten konnten nicht berechnet werden.')).toBeTruthy()
    expect(await screen.findByText('Daten konnten nicht geladen werden.')).toBeTruthy()
    expect(await screen.findByText('Konfiguration konnte nicht geladen werden.')).toBeTruthy()
  })

  it('is no money: it reads as 0 and goes as it was typed, and once it is refused the field says what is money', async () => {
    const no = () =>
      HttpResponse.json(
        {
          code: 'invalid',
          message: 'Ungültig.',
          errors: [{ field: 'userHourlyCents.u-4', message: 'Kein Betrag.' }],
        },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      )
    open({ more: [http.put(url(`${COMPANY}/compensation-config`), no) as never] })
    const field = await type('Finn Maurer: Stundensatz (€)', 'zwölf')
    expect(screen.getByText(/^Gelesen als 0,00/)).toBeTruthy()
    await save()
    expect(await screen.findByText('Bitte als Betrag, etwa 12,82.')).toBeTruthy()
    expect(screen.queryByText(/^Gelesen als/)).toBeNull()
    expect((field as HTMLInputElement).value).toBe('zwölf')
    expect(screen.queryByText('Konfiguration gespeichert.')).toBeNull()
  })
})

describe('money', () => {
  it.each([
    ['12,82', 1_282],
    ['12.82', 1_282],
    ['12,8 €', 1_280],
    ['15', 1_500],
    [' ', null],
    ['1.234,50', 123_450],
    ['1.234', undefined],
    ['12.34,50', undefined],
    ['-3', undefined],
    ['12,825', undefined],
  ])('typed as %s is %s cents', (text, cents) => expect(centsFrom(text)).toBe(cents))

  it('stands in a field as it can be typed again', () => {
    expect([asTyped(123_450), asTyped(0), asTyped(null)]).toEqual(['1234,50', '0,00', ''])
    expect(centsFrom(asTyped(123_450))).toBe(123_450)
  })
})

describe('the rates', () => {
  it('are sent where they have changed alone, from a day on if one is named', async () => {
    open()
    await type('Finn Maurer: Stundensatz (€)', '14.10')
    await save()
    await success('Konfiguration gespeichert.')
    await type('Stundensatz für alle (€)', '15,50')
    await save()
    expect(sent).toEqual([
      { userHourlyCents: { 'u-1': 1_850, 'u-4': 1_410 } },
      expect.objectContaining({ defaultHourlyCents: 1_550 }),
    ])
  })

  it('that would alter months that are over are sent when that is wanted, and not before', async () => {
    open({ alters: ['2025-11', '2025-12'] })
    await type('Stundensatz für alle (€)', '15,50')
    await save()
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Ändert 2 Monate: November, Dezember 2025')).toBeTruthy()
    expect(dialog.getByText('Schon exportiert: Dezember 2025. Exportiere danach neu.')).toBeTruthy()
    expect(dialog.getByText(/^Gesperrt: November 2025\. Die Dateien bleiben/)).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Trotzdem ändern' }))
    await success('Konfiguration gespeichert.')
    expect(sent).toEqual([expect.objectContaining({ defaultHourlyCents: 1_550 })])
  })

  it('are not sent where nothing has changed', async () => {
    open()
    await screen.findByLabelText('Stundensatz für alle (€)')
    await save()
    await success('Konfiguration gespeichert.')
    expect(sent).toEqual([])
  })

  it('name the minimum wage in force, and have four modes with the wages or departments of each', async () => {
    open()
    expect(await screen.findByText(/z. B. 13,90/)).toBeTruthy()
    await pick('Berechnung', 'Feste Monatslöhne')
    const wage = await screen.findByLabelText('Öznur Çelik: Monatslohn (€)')
    expect((wage as HTMLInputElement).value).toBe('3100,00')
    await pick('Berechnung', 'Abteilungs-Sätze')
    expect(await screen.findByLabelText('Werkstatt: Stundensatz (€)')).toBeTruthy()
    expect(screen.getByLabelText('Lager: Stundensatz (€)')).toBeTruthy()
    await pick('Berechnung', 'Einheitlicher Stundensatz')
    expect(screen.queryByLabelText(/: Stundensatz/)).toBeNull()
    await save()
    await success('Konfiguration gespeichert.')
    expect(sent).toEqual([{ mode: 'uniform' }])
  })

  it('put people into departments that there are', async () => {
    open({ known: { mode: 'department' } })
    await userEvent.click(await screen.findByRole('button', { name: 'Abteilungen zuordnen' }))
    await pick('Öznur Çelik: Abteilung', 'Lager')
    await save()
    await success('Konfiguration gespeichert.')
    expect(sent).toEqual([{ userDepartments: { 'u-5': 'Lager' } }])
  })
})

describe('a month', () => {
  it('says of a rate that has not held on all of its days that it is the last one', async () => {
    const [mia, finn] = month.items
    const items = [{ ...mia, costCents: 250_000 }, finn]
    open({
      more: [
        http.get(url(`${COMPANY}/compensation-costs`), ({ request }) =>
          HttpResponse.json(request.url.includes('year=') ? year : { ...month, items }),
        ),
      ],
    })
    const rates = (await screen.findAllByText(/\/Std\.$/)).map(element =>
      element.textContent?.replace('\u00a0', ' '),
    )
    expect(rates).toEqual(['zuletzt 18,50 €/Std.', '12,82 €/Std.'])
  })

  it('has its sums, and only the kinds of hours that were worked', async () => {
    open()
    const table = within(await screen.findByRole('table', { name: 'Kosten im November 2026' }))
    const foot = table.getAllByRole('row').at(-1)?.textContent
    expect(foot).toContain('404,50')
    expect(foot).toContain('6.946,85')
    expect(table.getByRole('columnheader', { name: /Nacht/ })).toBeTruthy()
    expect(screen.getByText('Monat läuft noch')).toBeTruthy()
  })

  it('warns of who is paid less than the minimum wage, and names who has no rate', async () => {
    open()
    expect(await screen.findByText(/^Unter dem Mindestlohn von 13,90.*: Finn Maurer\./)).toBeTruthy()
    expect(screen.getByText(/^Ohne Stundensatz.*: Maximiliane/)).toBeTruthy()
  })

  it('says beside the figure whose wage is whole for a part of the month, and names them', async () => {
    open()
    const row = (await screen.findByText('ganzer Monatslohn')).closest('tr') as HTMLElement
    expect(row.textContent).toContain('Öznur Çelik')
    expect(screen.getByText(/^Mit dem ganzen Monatslohn gerechnet.*: Öznur Çelik\.$/)).toBeTruthy()
  })

  it('without anybody says so', async () => {
    const emptyMonth = { ...month, items: [], totalCents: 0 }
    const answer = ({ request }: { request: Request }) =>
      HttpResponse.json(request.url.includes('year=') ? year : emptyMonth)
    open({ more: [http.get(url(`${COMPANY}/compensation-costs`), answer)] })
    expect(await screen.findByText('In diesem Monat gibt es keine Kosten.')).toBeTruthy()
  })

  it('stands among the twelve of its year, each with its amount', async () => {
    open()
    expect(await screen.findByRole('img', { name: 'Kosten der zwölf Monate 2026' })).toBeTruthy()
    expect(screen.getByText('Dezember 2026').nextElementSibling?.textContent).toContain('(läuft noch)')
    expect(screen.getByText('Zusammen').nextElementSibling?.textContent).toContain('76.216,85')
  })
})
