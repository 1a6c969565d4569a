import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type HttpHandler, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { fill, renderPage, success } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { MonthEndPage } from './MonthEndPage'
import { answers } from './samples'
import type { Finding, MappingChange } from './useMonthEnd'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
const COMPANY = '/api/companies/c-1'
const checks = answers[`GET ${COMPANY}/export-check`] as readonly Finding[]
let sent: { method: string; path: string; body: unknown }[] = []
let saved: string[] = []
let events: Events

beforeEach(() => {
  reload()
  logInAs(BOSS)
  reportReached()
  events = layEvents()
  sent = []
  saved = []
  URL.createObjectURL = () => 'blob:1'
  URL.revokeObjectURL = () => {}
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})

const answering =
  (body: object, status = 200) =>
  async ({ request }: { request: Request }) => {
    const text = await request.text()
    sent.push({
      method: request.method,
      path: new URL(request.url).pathname.replace(COMPANY, ''),
      body: text && JSON.parse(text),
    })
    return HttpResponse.json(body, { status })
  }

function open(more: HttpHandler[] = [], at = '/?monat=2026-10', changed: Record<string, object> = {}) {
  server.use(
    ...more,
    ...Object.entries({ ...answers, ...changed }).map(([call, body]) =>
      http.get(url(call.replace('GET ', '')), () => HttpResponse.json(body as object)),
    ),
    http.get(url(`${COMPANY}/features`), () =>
      HttpResponse.json(['absences', 'manage_employees'].map(key => ({ id: key, key, label: key }))),
    ),
    http.put(
      url(`${COMPANY}/months/2026-10/lock`),
      answering({ month: '2026-10', lockedAt: '2026-11-03T08:00:00.000Z', lockedBy: 'Ingrid' }),
    ),
    http.put(
      url(`${COMPANY}/export-settings`),
      answering(answers[`GET ${COMPANY}/export-settings`] as object),
    ),
    http.put(url(`${COMPANY}/payroll-mapping`), answering({})),
    http.put(url(`${COMPANY}/personnel-numbers`), answering([])),
    http.post(url(`${COMPANY}/export-send-now`), answering([], 202)),
  )
  renderPage(<MonthEndPage session={BOSS} />, at)
}

const mappingSent = () => sent[0]?.body as MappingChange | undefined
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const textOf = (blob: Blob | undefined) =>
  new Promise<string>(resolve => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(blob ?? new Blob())
  })
const file = (name: string) =>
  new HttpResponse('PK', { headers: { 'Content-Disposition': `attachment; filename="${name}"` } })

describe('what is to be settled', () => {
  it('that cannot be loaded says so, and the rest of the page is there', async () => {
    open([http.get(url(`${COMPANY}/export-check`), () => refusal(403, 'Nicht freigeschaltet.'))])
    expect(await screen.findByText('Die Prüfung konnte nicht geladen werden.')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Excel' })).toBeTruthy()
    // It is unknown whether these would be refused.
    expect(screen.queryByRole('button', { name: 'DATEV LODAS' })).toBeNull()
  })

  it('is counted, grouped by what settles it, and a click away from that', async () => {
    open()
    expect(await screen.findByText('9 offen, 2 davon bei dir')).toBeTruthy()
    const missingEnds = within(await screen.findByRole('region', { name: 'Gehen fehlt' }))
    expect(await missingEnds.findByRole('link', { name: 'Finn Maurer' })).toBeTruthy()
    expect(missingEnds.getByRole('link', { name: 'Zur Prüfliste' }).getAttribute('href')).toContain(
      'tab=review',
    )
    const waiting = within(screen.getByRole('region', { name: 'Korrektur wartet auf deine Entscheidung' }))
    expect(waiting.getByRole('link', { name: 'Zu den Anträgen' }).getAttribute('href')).toContain(
      'tab=absences',
    )
  })

  it('takes personnel numbers where they are missed, and only those that were typed', async () => {
    open()
    await fill(await screen.findByLabelText('Personalnummer von Finn Maurer'), '0')
    await press('Personalnummern speichern')
    expect(await screen.findByText('Eine Zahl von 1 bis 99999.')).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.clear(screen.getByLabelText('Personalnummer von Finn Maurer'))
    await fill(screen.getByLabelText('Personalnummer von Finn Maurer'), '17')
    await press('Personalnummern speichern')
    await success('Gespeichert.')
    expect(sent).toEqual([
      {
        method: 'PUT',
        path: '/personnel-numbers',
        body: { items: [{ userId: 'u-4', personnelNumber: '17' }] },
      },
    ])
  })

  it('lists everybody with a number behind those who lack one, and sends what was changed or cleared', async () => {
    open()
    const names = async () =>
      (await screen.findAllByLabelText(/^Personalnummer von /)).map(field => [
        field.getAttribute('name'),
        (field as HTMLInputElement).value,
      ])
    expect(await names()).toEqual([
      ['u-4', ''],
      ['u-5', ''],
      ['u-6', '1003'],
      ['u-8', '1003'],
      ['u-7', '1002'],
    ])
    // Only unaffected people are folded.
    const otherPeople = screen.getByText('Die Nummer einer anderen Person').closest('details')
    expect([...(otherPeople?.querySelectorAll('input') ?? [])].map(({ name }) => name)).toEqual(['u-7'])
    await fill(screen.getByLabelText('Personalnummer von Finn Maurer'), '01002')
    await press('Personalnummern speichern')
    expect(await screen.findByText('Steht hier zweimal.')).toBeTruthy()
    expect(sent).toEqual([])
    await userEvent.clear(screen.getByLabelText('Personalnummer von Finn Maurer'))
    await userEvent.clear(screen.getByLabelText('Personalnummer von Paul Weiß'))
    await press('Personalnummern speichern')
    await success('Gespeichert.')
    expect(sent.map(({ body }) => body)).toEqual([{ items: [{ userId: 'u-8', personnelNumber: null }] }])
  })

  it('takes the number of who was deleted since and is still owed a wage, and lists no others who have gone', async () => {
    const row = { personnelNumber: null, deleted: true }
    const deletedPeople = [
      { ...row, userId: 'u-20', username: 'Bea Alt' },
      { ...row, userId: 'u-21', username: 'Carl Weg', personnelNumber: '77' },
    ]
    const finding = { code: 'no_personnel_number', userId: 'u-20', date: null, message: '', blocks: true }
    open([], undefined, {
      [`GET ${COMPANY}/personnel-numbers`]: deletedPeople,
      [`GET ${COMPANY}/export-check`]: [finding],
    })
    await fill(await screen.findByLabelText('Personalnummer von Bea Alt'), '78')
    expect(screen.queryByLabelText('Personalnummer von Carl Weg')).toBeNull()
    await press('Personalnummern speichern')
    await waitFor(() =>
      expect(sent.map(({ body }) => body)).toEqual([{ items: [{ userId: 'u-20', personnelNumber: '78' }] }]),
    )
  })

  it('shows hints apart from what blocks, with the way to each, and they are not counted as open', async () => {
    open(
      [
        http.get(url(`${COMPANY}/features`), () =>
          HttpResponse.json(['hours_config'].map(key => ({ id: key, key, label: key }))),
        ),
      ],
      undefined,
      { [`GET ${COMPANY}/export-check`]: checks.filter(({ blocks }) => !blocks) },
    )
    const hints = within(await screen.findByRole('region', { name: 'Hinweise' }))
    expect(hints.getByText('Das hält keine Datei auf. Sieh es dir an, bevor du exportierst.')).toBeTruthy()
    expect(hints.getAllByRole('listitem')).toHaveLength(4)
    expect(hints.getByText(/Seit mehr als 42 Tagen krank\.$/).textContent).toContain('15.10.2026')
    expect(hints.getByRole('link', { name: 'Zur Prüfliste' }).getAttribute('href')).toContain('tab=review')
    const settings = await hints.findByRole('link', { name: 'Zu den Einstellungen' })
    expect(settings.getAttribute('href')).toContain('tab=hours_config')
    expect(hints.getByRole('button', { name: 'Lohnarten bearbeiten' })).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'Lohnarten bearbeiten' })).toHaveLength(1)
    expect(screen.getByText('Nichts offen.')).toBeTruthy()
    for (const name of ['DATEV LODAS', 'DATEV Lohn und Gehalt'])
      expect(screen.getByRole('button', { name })).toBeTruthy()
  })

  it('leaves the way to wage types on the page while numbers are missing', async () => {
    open([], undefined, {
      [`GET ${COMPANY}/export-check`]: checks.filter(({ code }) => code === 'no_personnel_number'),
    })
    expect(await screen.findByText('Für DATEV ist oben noch etwas zu klären.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Lohnarten bearbeiten' })).toBeTruthy()
  })

  it('offers Lohn und Gehalt where absence keys are enough for it and LODAS lacks a wage type', async () => {
    const unmapped = checks.filter(({ code }) => code === 'unmapped')
    open([
      http.get(url(`${COMPANY}/export-check`), ({ request }) =>
        HttpResponse.json(request.url.includes('format=lug') ? [] : unmapped),
      ),
    ])
    expect(await screen.findByRole('button', { name: 'DATEV Lohn und Gehalt' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'DATEV LODAS' })).toBeNull()
    expect(screen.getByText('Für DATEV LODAS ist oben noch etwas zu klären.')).toBeTruthy()
  })

  it('says so where the numbers cannot be loaded', async () => {
    open([http.get(url(`${COMPANY}/personnel-numbers`), () => refusal(403, 'Nicht freigeschaltet.'))])
    expect(await screen.findByText('Die Personalnummern konnten nicht geladen werden.')).toBeTruthy()
  })

  it('removes a cost centre whose department is renamed or cleared', async () => {
    open()
    await press('Lohnarten bearbeiten')
    const dialog = within(await screen.findByRole('dialog'))
    const department = dialog.getByLabelText('Abteilung')
    await userEvent.clear(department)
    await fill(department, 'Montage')
    await userEvent.clear(dialog.getByLabelText('Kostenstelle Montage'))
    await fill(dialog.getByLabelText('Kostenstelle Montage'), 'Halle3')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await success('Gespeichert.')
    expect(mappingSent()?.costCentres).toEqual({ Werkstatt: null, Montage: 'Halle3' })
  })

  it('says at its field which absence key is wrong', async () => {
    const sentence = 'Ein Ausfallschlüssel hat ein oder zwei Buchstaben oder Ziffern.'
    const wrong = {
      code: 'invalid',
      message: 'Nein.',
      errors: [{ field: 'absenceKeys.sick', message: sentence }],
    }
    open([http.put(url(`${COMPANY}/payroll-mapping`), () => HttpResponse.json(wrong, { status: 422 }))])
    await press('Lohnarten bearbeiten')
    const dialog = within(await screen.findByRole('dialog'))
    const key = dialog.getByLabelText('Ausfallschlüssel Krankheit')
    await fill(key, '--')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(key.getAttribute('aria-invalid')).toBe('true'))
  })

  it('has wage types in a form, where the service says which of them is wrong', async () => {
    const wrong = {
      code: 'invalid',
      message: 'Nein.',
      errors: [{ field: 'wageTypes.sick', message: 'Höchstens 4 Ziffern.' }],
    }
    open([
      http.put(url(`${COMPANY}/payroll-mapping`), () => HttpResponse.json(wrong, { status: 422 }), {
        once: true,
      }),
    ])
    await press('Lohnarten bearbeiten')
    await fill(await screen.findByLabelText('Lohnart Krankheit'), '12345')
    const dialog = within(screen.getByRole('dialog'))
    const save = () => userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await save()
    expect(await screen.findByText('Höchstens 4 Ziffern.')).toBeTruthy()
    await userEvent.clear(dialog.getByLabelText('Lohnart Krankheit'))
    await fill(dialog.getByLabelText('Lohnart Krankheit'), '300')
    await fill(dialog.getByLabelText('Ausfallschlüssel Urlaub'), 'U')
    await fill(dialog.getByLabelText('Ausfallschlüssel unbezahlte Tage'), 'UU')
    await userEvent.click(dialog.getByRole('button', { name: 'Abwesenheit hinzufügen' }))
    await fill(dialog.getAllByLabelText('Grund einer Abwesenheit')[1] as HTMLElement, 'Ehrenamt')
    await fill(dialog.getByLabelText('Ausfallschlüssel Ehrenamt'), 'EA')
    await userEvent.clear(dialog.getByLabelText('Ausfallschlüssel Umzug'))
    await userEvent.click(dialog.getByRole('button', { name: 'Abteilung hinzufügen' }))
    await save()
    await success('Gespeichert.')
    expect(sent[0]?.body).toMatchObject({
      adviserNumber: '1234567',
      clientNumber: null,
      wageTypes: { hours: '100', sick: '300', night: null },
      costCentres: { Werkstatt: '10' },
    })
    // Cleared values are named, because omitted ones stay.
    expect(mappingSent()?.absenceKeys).toEqual({
      vacation: 'U',
      unpaid: 'UU',
      Ehrenamt: 'EA',
      Umzug: null,
    })
  })
})

describe('the lock', () => {
  it('is asked for with what it means, and folds its step once it is there', async () => {
    open()
    await press('Oktober 2026 sperren')
    const dialog = within(await screen.findByRole('dialog', { name: 'Oktober 2026 sperren?' }))
    expect(dialog.getByText('Die Sperre lässt sich nicht aufheben.')).toBeTruthy()
    expect(dialog.getByText(/^2 Einträge mit unklarer Zeit bleiben außen vor\./)).toBeTruthy()
    server.use(
      http.get(url(`${COMPANY}/months/2026-10/lock`), () =>
        HttpResponse.json({ month: '2026-10', lockedAt: '2026-11-03T08:00:00.000Z', lockedBy: 'Ingrid' }),
      ),
    )
    await userEvent.click(dialog.getByRole('button', { name: 'Oktober 2026 sperren' }))
    expect(await screen.findByText(/^Gesperrt am /)).toBeTruthy()
    expect(screen.getByText('Gesperrt hat Ingrid.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Oktober 2026 sperren' })).toBeNull()
  })

  it('is refused in the service’s words', async () => {
    open([
      http.put(url(`${COMPANY}/months/2026-10/lock`), () =>
        refusal(409, 'Der Monat ist noch nicht zu Ende.'),
      ),
    ])
    await press('Oktober 2026 sperren')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Oktober 2026 sperren' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Der Monat ist noch nicht zu Ende.')
  })
})

describe('files', () => {
  it('come with how DATEV reads the one for Lohn und Gehalt, whose first line names adviser, client and month', async () => {
    const blobs: Blob[] = []
    URL.createObjectURL = blob => {
      blobs.push(blob as Blob)
      return 'blob:1'
    }
    open()
    await press('Importbeschreibung (DATEV)')
    expect(saved).toEqual(['lohn-und-gehalt-import.txt'])
    const lines = (await textOf(blobs[0])).split('\r\n')
    expect(lines).toContain('Erste Zeile: Beraternummer;Mandantennummer;Monat (MM/JJJJ)')
    expect(lines).toContain('2;Kalendertag;Tag des Monats, 1 bis 31')
    expect(lines.filter(line => /keine Kopfzeile|TT\.MM\.JJJJ/.test(line))).toEqual([])
  })

  it('for an authority are of any span, and are refused in the service’s words', async () => {
    const searches: string[] = []
    open([
      http.get(url(`${COMPANY}/inspection`), ({ request }) => {
        searches.push(new URL(request.url).search)
        return request.url.includes('csv')
          ? refusal(422, 'Höchstens ein Jahr auf einmal.')
          : file('inspection_2026-10-01_2026-10-31.pdf')
      }),
    ])
    await press('Nachweis (PDF)')
    await waitFor(() => expect(saved).toEqual(['inspection_2026-10-01_2026-10-31.pdf']))
    const first = screen.getByLabelText('Von')
    await userEvent.clear(first)
    await fill(first, '15.09.2025')
    await userEvent.tab()
    await press('Nachweis (CSV)')
    expect(await screen.findByText('Höchstens ein Jahr auf einmal.')).toBeTruthy()
    expect(searches).toEqual([
      '?from=2026-10-01&to=2026-10-31&format=pdf',
      '?from=2025-09-15&to=2026-10-31&format=csv',
    ])
  })

  it('that are refused say why, and those that come are called as the service says', async () => {
    open([
      http.get(url(`${COMPANY}/export`), ({ request }) =>
        request.url.includes('csv')
          ? refusal(429, 'Gerade wird schon eine Datei erstellt.')
          : file('times_2026-10.xlsx'),
      ),
    ])
    await press('CSV')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Download fehlgeschlagen.')
    expect(alert.textContent).toContain('Gerade wird schon eine Datei erstellt.')
    await press('Excel')
    await waitFor(() => expect(saved).toEqual(['times_2026-10.xlsx']))
  })

  it('of many people are made behind the scenes, and one sees how far they are', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
    const people = Array.from({ length: 120 }, (_, index) => ({
      id: `p-${index}`,
      username: `P${index}`,
      role: 'user',
    }))
    const job = { id: 'j-1', done: 60, of: 120, month: '2026-10', format: 'pdf', sha256: null }
    let pollCount = 0
    open(
      [
        http.post(url(`${COMPANY}/exports`), () =>
          HttpResponse.json({ ...job, done: 0, of: 0, state: 'waiting' }, { status: 202 }),
        ),
        http.get(url(`${COMPANY}/exports/j-1`), () => {
          pollCount += 1
          return HttpResponse.json({ ...job, state: pollCount < 3 ? 'running' : 'done' })
        }),
        http.get(url(`${COMPANY}/exports/j-1/file`), () => file('times_2026-10.pdf')),
      ],
      undefined,
      { [`GET ${COMPANY}/users`]: people },
    )
    await screen.findByText('2 Änderungen seit dem Export')
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Stundenzettel (PDF)' }))
    expect(await screen.findByText(/Wird erstellt: 60 von 120 Personen/)).toBeTruthy()
    await waitFor(() => expect(saved).toEqual(['times_2026-10.pdf']))
  })

  it('of this month are listed with what has changed since, which is exported with one button', async () => {
    let rows = answers[`GET ${COMPANY}/exports`] as object[]
    open([
      http.get(url(`${COMPANY}/exports`), () => HttpResponse.json(rows)),
      http.get(url(`${COMPANY}/exports/x-3/difference`), ({ request }) => {
        if (!request.url.includes('csv'))
          return HttpResponse.json(answers[`GET ${COMPANY}/exports/x-3/difference`] as object)
        // The difference covers the Excel file; the PDF, which is older than the change, is not covered.
        const unchangedDifference = { ...rows[0], id: 'x-4', format: 'difference', changed: false }
        rows = [unchangedDifference, ...rows.map(row => ({ ...row, changed: true }))]
        return file('difference_2026-10.csv')
      }),
    ])
    const changes = within(await screen.findByRole('region', { name: '2 Änderungen seit dem Export' }))
    expect(changes.getByText('Finn Maurer')).toBeTruthy()
    expect(changes.getByText('8h 00m')).toBeTruthy()
    await userEvent.click(changes.getByRole('button', { name: 'Änderungen exportieren (CSV)' }))
    await waitFor(() => expect(saved).toEqual(['difference_2026-10.csv']))
    const earlierFiles = within(screen.getByRole('region', { name: 'Frühere Dateien' }))
    await waitFor(() =>
      expect(earlierFiles.getAllByRole('button', { name: /herunterladen$/ })).toHaveLength(4),
    )
    expect(screen.queryByText(/seit dem Export/)).toBeNull()
    await waitFor(() => expect(document.activeElement).not.toBe(document.body))
  })

  it('that pay something else than hours say what it is', async () => {
    const kinds = ['absence', 'night', 'night40', 'sunday', 'holiday125', 'holiday150', 'overtime']
    const row = { userId: 'u-4', username: 'Finn Maurer', date: '2026-10-13', before: null, after: 240 }
    open([
      http.get(url(`${COMPANY}/exports/x-3/difference`), () =>
        HttpResponse.json(kinds.map(kind => ({ ...row, kind, reason: 'correction', at: null }))),
      ),
    ])
    const changes = within(await screen.findByRole('region', { name: '7 Änderungen seit dem Export' }))
    for (const name of [
      'Abwesenheit',
      'Nachtzuschlag',
      'Nachtzuschlag (40 %)',
      'Sonntagszuschlag',
      'Feiertagszuschlag',
      'Feiertagszuschlag (150 %)',
      'Überstunden',
    ])
      expect(changes.getByText(name)).toBeTruthy()
  })

  it('and mails are the state of their steps, while they say what the month is', async () => {
    open()
    const sending = within(await screen.findByRole('region', { name: '4. Senden' }))
    expect(await sending.findByText('gesendet 01.11.2026, 03:00 Uhr')).toBeTruthy()
    const exporting = within(screen.getByRole('region', { name: '3. Exportieren' }))
    expect(exporting.queryByText(/^Excel, .* Uhr$/)).toBeNull()
    cleanup()
    const [row] = answers[`GET ${COMPANY}/exports`] as readonly object[]
    open([], undefined, { [`GET ${COMPANY}/exports`]: [{ ...row, changed: false }] })
    const reopened = within(await screen.findByRole('region', { name: '3. Exportieren' }))
    expect(await reopened.findByText(/^Excel, .* Uhr$/)).toBeTruthy()
    expect(reopened.getByRole('button', { name: 'Excel' })).toBeTruthy()
  })

  it('that a mail leads to can be fetched, and say so when they are over', async () => {
    open(
      [
        http.get(url(`${COMPANY}/export-mails/m-9/file`), () =>
          refusal(404, 'Diese Datei gibt es hier nicht mehr.'),
        ),
      ],
      '/?monat=2026-10&mail=m-9',
    )
    const card = within(await screen.findByRole('region', { name: 'Die Datei aus der E-Mail' }))
    await userEvent.click(card.getByRole('button', { name: 'Herunterladen' }))
    expect((await card.findByRole('alert')).textContent).toContain('Diese Datei gibt es hier nicht mehr.')
  })
})

describe('mail', () => {
  const settings = (more: object) => ({
    [`GET ${COMPANY}/export-settings`]: { ...(answers[`GET ${COMPANY}/export-settings`] as object), ...more },
  })

  it('is sent at once only where it is active and somebody gets it', async () => {
    open([], undefined, settings({ active: false }))
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Jetzt senden' })).disabled).toBe(
      true,
    )
  })

  it('that is refused says the detail, and one that is on its way says so', async () => {
    open([
      http.post(
        url(`${COMPANY}/export-send-now`),
        () => refusal(409, 'Es ist noch kein Empfänger eingetragen.'),
        { once: true },
      ),
    ])
    await press('Jetzt senden')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Senden fehlgeschlagen: Es ist noch kein Empfänger eingetragen.',
    )
    await press('Jetzt senden')
    await success('E-Mail wurde angestoßen.')
    expect(sent.at(-1)).toEqual({ method: 'POST', path: '/export-send-now', body: { month: '2026-10' } })
  })

  it('has recipients who are added by Enter or the button, trimmed, and removed by their x', async () => {
    open()
    const address = await screen.findByLabelText('E-Mail-Adresse')
    await userEvent.type(address, '  neu@holm.example {Enter}')
    await press('Hinzufügen')
    await press('buero@tischlerei-holm.example entfernen')
    expect(sent).toEqual([])
    await press('Speichern')
    await success('Einstellungen gespeichert.')
    expect(sent[0]?.body).toEqual({
      active: true,
      useGmail: false,
      delivery: 'zip',
      recipients: [{ email: 'lohn@steuerbuero.example' }, { email: 'neu@holm.example' }],
    })
  })

  it('marks who has declined, says who can undo that, and names them where it is sent', async () => {
    open()
    const recipients = within(await screen.findByRole('list', { name: 'Empfänger' }))
    const [office, adviser] = recipients.getAllByRole('listitem')
    expect(office?.textContent).toBe('buero@tischlerei-holm.example')
    expect(adviser?.textContent).toBe('lohn@steuerbuero.examplehat abbestellt')
    expect(screen.getByText(/^Wer abbestellt hat, bekommt keine E-Mail mehr\./)).toBeTruthy()
    expect(screen.getByText('Abbestellt hat: lohn@steuerbuero.example. Dorthin geht nichts.')).toBeTruthy()
    await press('lohn@steuerbuero.example entfernen')
    expect(screen.queryByText(/^Wer abbestellt hat, bekommt keine E-Mail mehr\./)).toBeNull()
  })

  it('is not sent where all have declined', async () => {
    const recipients = ['lohn@steuerbuero.example']
    open([], undefined, settings({ recipients, declined: recipients }))
    expect(await screen.findByText(/^Alle Empfänger haben die E-Mails abbestellt\./)).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Jetzt senden' }).disabled).toBe(true)
  })

  it('keeps what is being typed when a recipient declines meanwhile', async () => {
    open([], undefined, settings({ declined: [] }))
    await fill(await screen.findByLabelText('E-Mail-Adresse'), 'neu@holm.ex')
    server.use(
      http.get(url(`${COMPANY}/export-settings`), () =>
        HttpResponse.json(answers[`GET ${COMPANY}/export-settings`] as object),
      ),
    )
    await waitFor(() => expect(events.open).not.toEqual([]))
    for (const connection of events.open) connection.say({ type: 'export_mails_update' })
    expect(await screen.findByText('hat abbestellt')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('E-Mail-Adresse').value).toBe('neu@holm.ex')
  })

  it('goes to an address that is typed and not added when it is saved, too', async () => {
    open()
    await fill(await screen.findByLabelText('E-Mail-Adresse'), ' neu@holm.example')
    await press('Speichern')
    await success('Einstellungen gespeichert.')
    expect(sent[0]?.body).toMatchObject({
      recipients: [
        { email: 'buero@tischlerei-holm.example' },
        { email: 'lohn@steuerbuero.example' },
        { email: 'neu@holm.example' },
      ],
    })
    expect(screen.getByLabelText<HTMLInputElement>('E-Mail-Adresse').value).toBe('')
  })

  it('to what is no address is not saved, and says which it is', async () => {
    const errors = [{ field: 'recipients.2.email', message: 'Keine gültige E-Mail-Adresse.' }]
    open([http.put(url(`${COMPANY}/export-settings`), () => refusal(422, 'Ungültige Eingabe.', { errors }))])
    const address = await screen.findByLabelText('E-Mail-Adresse')
    await userEvent.type(address, 'büro{Enter}')
    await press('Speichern')
    expect(await screen.findByText('büro: Keine gültige E-Mail-Adresse.')).toBeTruthy()
    expect((await screen.findByRole('alert')).textContent).toBe('Konnte nicht speichern.')
    expect(address.getAttribute('aria-invalid')).toBe('true')
  })

  it('says so where its settings cannot be loaded', async () => {
    open([http.get(url(`${COMPANY}/export-settings`), () => refusal(500, 'Gerade nicht.'))])
    expect(await screen.findAllByText('Einstellungen konnten nicht geladen werden.')).toHaveLength(2)
  })

  it('in a ZIP needs a password, once', async () => {
    open([], undefined, settings({ hasZipPassword: false }))
    await press('Speichern')
    expect(await screen.findByText('Für eine ZIP-Datei brauchst du ein Passwort.')).toBeTruthy()
    await fill(screen.getByLabelText('Passwort der ZIP-Datei'), 'eine-lange-Kette-9')
    await press('Speichern')
    await success('Einstellungen gespeichert.')
    expect(sent[0]?.body).toMatchObject({ zipPassword: 'eine-lange-Kette-9' })
  })
})
