import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { fill, renderPage, success } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { HoursPage } from './HoursPage'
import { answers } from './samples'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
const COMPANY = '/api/companies/c-1'
let sent: { path: string; dryRun: boolean; body: Record<string, unknown> }[] = []

beforeEach(() => {
  reload()
  logInAs(BOSS)
  reportReached()
  sent = []
})

/** Every change alters these months. */
function open(months: readonly string[] = [], more: ReturnType<typeof http.get>[] = []) {
  server.use(
    ...more,
    ...Object.entries(answers).map(([call, body]) =>
      http.get(url(call.replace('GET ', '')), () => HttpResponse.json(body as object)),
    ),
    http.put(url(`${COMPANY}/:what`), async ({ request, params }) => {
      const dryRun = request.url.endsWith('dryRun=true')
      const body = (await request.json()) as Record<string, unknown>
      sent.push({ path: `${params.what}`, dryRun, body })
      const altered = months.map(month => ({ month, exported: month === '2025-12', locked: false }))
      return HttpResponse.json(dryRun ? { months: altered } : {})
    }),
  )
  renderPage(<HoursPage session={BOSS} />)
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const savedCalls = () => sent.filter(({ dryRun }) => !dryRun).map(({ path, body }) => ({ path, body }))

describe('the hours of a company', () => {
  it('that cannot be loaded say so', async () => {
    open([], [http.get(url(`${COMPANY}/working-hours-config`), () => refusal(403, 'Nicht freigeschaltet.'))])
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Konfiguration konnte nicht geladen werden.',
    )
  })

  it('that are refused stay as they were typed', async () => {
    open([], [http.put(url(`${COMPANY}/working-hours-config`), () => refusal(422, 'Zu früh.')) as never])
    await press('Samstag: 09:00–18:00')
    await press('Öffnungszeiten speichern')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Speichern fehlgeschlagen.')
    expect(alert.textContent).toContain('Zu früh.')
    const saturday = screen.getByLabelText<HTMLInputElement>('Samstag von: Stunden')
    expect(saturday.value).toBe('09')
  })

  it('are filled in at a press, and closed at another', async () => {
    open()
    await press('Samstag: 09:00–18:00')
    await press('Freitag: geschlossen')
    await press('Öffnungszeiten speichern')
    await success('Konfiguration gespeichert.')
    const nine = { open: '09:00', close: '18:00' }
    expect(savedCalls()).toEqual([
      {
        path: 'working-hours-config',
        body: { openingHours: { 0: nine, 1: nine, 2: nine, 3: nine, 4: null, 5: nine, 6: null } },
      },
    ])
  })

  it('are asked about before months that are over are altered, and which of them were exported', async () => {
    open(['2025-09', '2025-10', '2025-12'])
    await press('Samstag: 09:00–18:00')
    await press('Öffnungszeiten speichern')
    const dialog = within(await screen.findByRole('dialog', { name: 'Frühere Monate ändern?' }))
    expect(dialog.getByText('Ändert 3 Monate: September, Oktober, Dezember 2025')).toBeTruthy()
    expect(dialog.getByText('Schon exportiert: Dezember 2025. Exportiere danach neu.')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(savedCalls()).toEqual([])
  })
})

describe('the opening hours', () => {
  it('end after they have begun, which is said at the day', async () => {
    open()
    const hour = await screen.findByLabelText('Montag bis: Stunden')
    hour.focus()
    await userEvent.keyboard('08')
    await press('Öffnungszeiten speichern')
    expect(await screen.findByText('Das Ende muss nach dem Beginn liegen.')).toBeTruthy()
    expect(sent).toEqual([])
  })
})

describe('the weekly targets', () => {
  it('are asked about and refused where they were typed, also with a mode that holds by then', async () => {
    const config = answers[`GET ${COMPANY}/working-hours-config`]
    let mode = 'none'
    let refused = true
    const isDry = (request: Request) => request.url.endsWith('dryRun=true')
    open(
      [],
      [
        http.get(url(`${COMPANY}/working-hours-config`), () => HttpResponse.json({ ...config, mode })),
        http.put(url(`${COMPANY}/working-hours-config`), async ({ request }) => {
          if (!isDry(request)) ({ mode } = (await request.json()) as { mode: string })
          return HttpResponse.json(isDry(request) ? { months: [] } : {})
        }) as never,
        http.put(url(`${COMPANY}/employee-weekly-targets`), async ({ request }) => {
          if (isDry(request))
            return HttpResponse.json({ months: [{ month: '2025-11', exported: false, locked: false }] })
          if (refused) return refusal(409, 'Gerade nicht.')
          sent.push({ path: 'employee-weekly-targets', dryRun: false, body: (await request.json()) as never })
          return HttpResponse.json([])
        }) as never,
      ],
    )
    await screen.findByRole('combobox', { name: 'Sollzeit' })
    await pick('Sollzeit', 'Je Mitarbeiter')
    const finn = await screen.findByLabelText<HTMLInputElement>('Finn Maurer')
    await userEvent.clear(finn)
    await fill(finn, '30:00')
    const save = async () => {
      await press('Wochenstunden speichern')
      await press('Trotzdem ändern')
    }
    await save()
    expect((await screen.findByRole('alert')).textContent).toContain('Gerade nicht.')
    expect(mode).toBe('perEmployee')
    expect(screen.getByLabelText<HTMLInputElement>('Finn Maurer').value).toBe('30:00')
    refused = false
    await save()
    await success('Konfiguration gespeichert.')
    expect(savedCalls()).toEqual([
      { path: 'employee-weekly-targets', body: { items: [{ userId: 'u-4', weeklyTargetMinutes: 1_800 }] } },
    ])
  })

  it('have minutes from 0 to 59', async () => {
    open()
    const finn = await screen.findByLabelText('Finn Maurer')
    await userEvent.clear(finn)
    await fill(finn, '38:75')
    await press('Wochenstunden speichern')
    expect(await screen.findByText(/Minuten von 0 bis 59/)).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('step by five minutes, and only who has another one is sent', async () => {
    open()
    await userEvent.type(await screen.findByLabelText('Finn Maurer'), '{ArrowUp}{ArrowUp}')
    await press('Wochenstunden speichern')
    await success('Konfiguration gespeichert.')
    expect(savedCalls()).toEqual([
      { path: 'employee-weekly-targets', body: { items: [{ userId: 'u-4', weeklyTargetMinutes: 2_320 }] } },
    ])
  })

  it('that cannot be loaded are given by the list of people', async () => {
    const users = [
      { id: 'u-4', username: 'Finn', role: 'user' },
      { id: 'u-9', username: 'Ada', role: 'admin' },
    ]
    open(
      [],
      [
        http.get(url(`${COMPANY}/employee-weekly-targets`), () => refusal(500, 'Nein.')),
        http.get(url(`${COMPANY}/users`), () => HttpResponse.json(users)),
      ],
    )
    await screen.findByLabelText('Finn')
    expect(screen.queryByLabelText('Ada')).toBeNull()
  })
})

describe('rules and free days', () => {
  it('are refused out of their limits, and only what was changed is sent', async () => {
    open()
    const shift = await screen.findByLabelText('Längste Schicht (Stunden)')
    await userEvent.clear(shift)
    await fill(shift, '30')
    await press('Regeln speichern')
    expect(await screen.findByText('Bitte eine ganze Zahl von 8 bis 24.')).toBeTruthy()
    await userEvent.clear(shift)
    await fill(shift, '12')
    await press('Regeln speichern')
    await success('Konfiguration gespeichert.')
    expect(savedCalls()).toEqual([{ path: 'settings', body: { maxShiftHours: 12 } }])
  })

  it('a day leaves its year once that is confirmed, and the others stay', async () => {
    open()
    await press('„Brückentag“ entfernen')
    await press('Entfernen')
    await success('Konfiguration gespeichert.')
    const days = savedCalls()[0]?.body.days as { name: string }[]
    expect(days.map(({ name }) => name)).toEqual(['Heiligabend', 'Silvester', 'Friedensfest'])
  })

  it('a day that is a holiday by law is sent as one, and the list says so', async () => {
    open()
    await press('Freien Tag eintragen')
    await fill(await screen.findByLabelText('Datum'), `15.08.${new Date().getFullYear()}`)
    await fill(await screen.findByLabelText('Name'), 'Mariä Himmelfahrt')
    await userEvent.click(screen.getByLabelText('Gesetzlicher Feiertag an deinem Ort'))
    await userEvent.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Freien Tag eintragen' }),
    )
    await success('Konfiguration gespeichert.')
    const days = savedCalls()[0]?.body.days as { name: string; legal: boolean }[]
    expect(days.at(-1)).toMatchObject({ name: 'Mariä Himmelfahrt', half: false, legal: true })
    expect(screen.getAllByText('gesetzlich').length).toBeGreaterThan(0)
  })

  it('the day of the new rules is moved by a field of its own, and an empty one means from the beginning', async () => {
    open()
    await userEvent.clear(await screen.findByLabelText('Neue Regeln für Konten und Urlaub gelten ab'))
    await press('Regeln speichern')
    await success('Konfiguration gespeichert.')
    expect(savedCalls()).toEqual([{ path: 'settings', body: { rulesFrom: null } }])
  })
})
