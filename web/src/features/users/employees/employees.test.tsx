import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../../tests/events'
import { fill, renderPage, success, wide } from '../../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../../tests/server'
import { reportReached } from '../../../api/connectivity'
import { reload } from '../../../api/session'
import { COLLEAGUES, MODULES, PERSON } from '../samples'
import { EmployeesPage } from './EmployeesPage'

serve()

const BOSS = { ...MIA, role: 'companyAdmin', userId: 'u-2' }
let sent: { method: string; path: string; body: unknown }[] = []

beforeEach(() => {
  layEvents()
  reload()
  logInAs(BOSS)
  reportReached()
  sent = []
})

const note = async (request: Request) => {
  const { pathname, search } = new URL(request.url)
  sent.push({ method: request.method, path: pathname + search, body: await request.json().catch(() => null) })
}

const DELETED_PERSON = { id: 'u-9', username: 'Rolf', role: 'user', deletedAt: '2026-11-02T09:00:00.000Z' }

type Answer = (request: Request) => Response | Promise<Response>

function open(place = '/', more: ReturnType<typeof http.get>[] = []) {
  server.use(
    ...more,
    http.get(url('/api/companies/c-1/users'), ({ request }) =>
      HttpResponse.json(request.url.includes('deleted=true') ? [DELETED_PERSON] : COLLEAGUES),
    ),
    http.get(url('/api/companies/c-1/held-stamps'), () => HttpResponse.json([])),
    http.get(url('/api/companies/c-1/features'), () => HttpResponse.json(MODULES)),
    http.get(url('/api/companies/c-1/settings'), () => HttpResponse.json({ timeZone: 'Europe/Berlin' })),
    ...Object.entries(PERSON).map(([call, body]) =>
      http.get(url(call.replace('GET ', '')), () => HttpResponse.json(body as object)),
    ),
  )
  return renderPage(<EmployeesPage session={BOSS} />, place)
}

const person = (more: ReturnType<typeof http.get>[] = []) => open('/?person=u-4&monat=2026-11', more)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const puts = (answer: Answer) =>
  http.put(url('/api/users/u-4/employment'), async ({ request }) => {
    await note(request.clone())
    return answer(request)
  })

describe('who was deleted', () => {
  it('stands below the others, with what is kept of them behind the name', async () => {
    open()
    const list = within(await screen.findByRole('region', { name: /^Gelöschte Mitarbeiter/ }))
    expect(list.getByRole('link', { name: 'Rolf' }).getAttribute('href')).toContain('person=u-9')
    expect(list.getByText('gelöscht am 2. November, 10:00 Uhr')).toBeTruthy()
  })

  it('can have their data taken along and erased, and nothing else', async () => {
    open('/?person=u-9')
    expect(await screen.findByRole('heading', { name: 'Rolf' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Daten herunterladen' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Daten löschen' })).toBeTruthy()
    expect(screen.queryByText('Urlaub')).toBeNull()
  })
})

describe('the employees', () => {
  it('that cannot be loaded say so', async () => {
    open('/', [http.get(url('/api/companies/c-1/users'), () => refusal(403, 'Nicht freigeschaltet.'))])
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Fehler beim Laden der Mitarbeiter')
    expect(alert.textContent).toContain('Nicht freigeschaltet.')
  })

  it('lack the actions where somebody is protected, and the service has the last word', async () => {
    const sentence = 'Nutzer kann aus Sicherheitsgründen nicht gelöscht werden'
    open('/', [http.delete(url('/api/users/u-4'), () => refusal(403, sentence)) as never])
    await screen.findByText('Wartung')
    expect(screen.queryByRole('button', { name: 'Wartung löschen' })).toBeNull()
    await press('Finn Maurer löschen')
    await press('Login löschen')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Fehler beim Löschen')
    expect(alert.textContent).toContain(sentence)
  })

  it('are not made of half a form', async () => {
    open()
    await press('Mitarbeiter anlegen')
    const form = await dialog('Mitarbeiter anlegen')
    await userEvent.click(form.getByRole('button', { name: 'Mitarbeiter anlegen' }))
    expect(await form.findAllByText('Bitte ausfüllen.')).toHaveLength(3)
  })

  it('that cannot be made say so in the words that are fixed', async () => {
    open('/', [
      http.post(url('/api/users'), () =>
        refusal(409, 'Dieser Benutzername ist in der Firma bereits vergeben.'),
      ) as never,
    ])
    await press('Mitarbeiter anlegen')
    const form = await dialog('Mitarbeiter anlegen')
    await fill(form.getByLabelText('Benutzername'), 'Finn Maurer')
    await press('Erzeugen')
    await fill(form.getByLabelText('Tag-ID'), '04A1B2C3')
    await userEvent.click(form.getByRole('button', { name: 'Mitarbeiter anlegen' }))
    expect((await form.findByRole('alert')).textContent).toBe(
      'Fehler beim ErstellenDieser Benutzername ist in der Firma bereits vergeben.',
    )
  })

  it('see the stamps that wait for a tag before they get it, and take them along', async () => {
    const heldStamps = ['2026-11-20T07:02:00.000Z', '2026-11-20T06:58:00.000Z'].map((takenAt, id) => ({
      id: `s-${id}`,
      tag: '04AA',
      takenAt,
      deviceId: 'd',
      deviceName: 'Werkstatt',
      state: 'unknown_tag',
    }))
    open('/', [
      http.get(url('/api/companies/c-1/held-stamps'), () => HttpResponse.json(heldStamps)),
      http.put(url('/api/users/u-4'), async ({ request }) => {
        await note(request)
        return HttpResponse.json(COLLEAGUES[2])
      }) as never,
    ])
    await press('Finn Maurer bearbeiten')
    const tag = await screen.findByLabelText('Tag-ID')
    await userEvent.clear(tag)
    await fill(tag, '04 aa')
    expect(await screen.findByText('Mit diesem Chip warten 2 Stempel')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Betriebsrat'))
    await press('Speichern')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toEqual({ tagId: '04AA', tagFrom: '2026-11-20T06:58:00.000Z', worksCouncil: true })
  })
})

describe('an import', () => {
  const people = (answer: (dryRun: boolean) => Response) =>
    http.post(url('/api/companies/c-1/users/import'), ({ request }) => {
      sent.push({ method: 'POST', path: new URL(request.url).search, body: null })
      return answer(request.url.endsWith('true'))
    }) as never
  const choose = async () => {
    await press('Importieren')
    await userEvent.upload(await screen.findByLabelText('Datei'), new File(['a;b'], 'leute.csv'))
  }

  it('shows what is wrong with which line, and makes nobody', async () => {
    const rows = [
      { line: 2, username: 'Greta', errors: [] },
      { line: 3, username: 'Rolf', errors: ['Die Tag-ID ist schon vergeben.', 'Diesen Tag gibt es nicht.'] },
    ]
    open('/', [people(() => refusal(422, '1 Zeile stimmt nicht.', { rows, created: [] }))])
    await choose()
    await screen.findByText(/1 von 2 Zeilen stimmt nicht/)
    expect(screen.getByRole('rowheader', { name: 'Rolf' })).toBeTruthy()
    expect(screen.getByText('Die Tag-ID ist schon vergeben.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Person(en)? anlegen$/ })).toBeNull()
    expect(sent.map(({ path }) => path)).toEqual(['?dryRun=true'])
  })

  it('that cannot be read says why', async () => {
    open('/', [people(() => refusal(422, 'Die Datei enthält Formeln.', { rows: [], created: [] }))])
    await choose()
    expect(await screen.findByText('Die Datei enthält Formeln.')).toBeTruthy()
  })

  it('names what everybody gets, and asks about numbers that may have lost their zeros', async () => {
    const otherFields = {
      tagId: '04AB',
      role: 'companyAdmin',
      department: null,
      weeklyTargetMinutes: 2310,
      errors: [],
    }
    const rows = [
      { ...otherFields, line: 2, username: 'Greta', personnelNumber: '007', entryDate: '2026-12-01' },
      { ...otherFields, line: 3, username: 'Rolf', personnelNumber: '8', entryDate: null },
    ]
    open('/', [people(() => HttpResponse.json({ rows, created: [] }))])
    await choose()
    await screen.findByText(
      'Tag-ID 04AB · Firmen-Admin · Personalnummer 007 · Eintritt 1. Dezember 2026 · 38h 30m je Woche',
    )
    expect(screen.getByText(/Personalnummern sind verschieden lang/)).toBeTruthy()
  })

  it('that has to wait for another’s keeps what was checked', async () => {
    const rows = [{ line: 2, username: 'Greta', errors: [] }]
    const busy = 'Aus deiner Firma wird gerade schon eine Tabelle eingelesen.'
    open('/', [
      people(dry =>
        dry ? HttpResponse.json({ rows, created: [] }) : refusal(429, busy, { rows: [], created: [] }),
      ),
    ])
    await choose()
    await press('1 Person anlegen')
    await screen.findByText(busy)
    expect(screen.getByText('Es wurde niemand angelegt.')).toBeTruthy()
    expect(screen.getByRole('button', { name: '1 Person anlegen' })).toBeTruthy()
  })

  it('is looked at first, and shows the passwords once', async () => {
    const rows = [{ line: 2, username: 'Greta', errors: [] }]
    const created = [{ userId: 'u-20', username: 'Greta', password: 'birke-7-regen' }]
    open('/', [
      people(dry => HttpResponse.json({ rows, created: dry ? [] : created }, { status: dry ? 200 : 201 })),
    ])
    await choose()
    await press('1 Person anlegen')
    const list = await dialog('1 Person angelegt')
    expect(list.getByText('birke-7-regen')).toBeTruthy()
    expect(sent.map(({ path }) => path)).toEqual(['?dryRun=true', '?dryRun=false'])
  })
})

describe('a person', () => {
  it('of another company is nobody', async () => {
    open('/?person=u-99')
    expect(await screen.findByText('Diese Person gibt es in deiner Firma nicht.')).toBeTruthy()
  })

  it('begins with the rest of the vacation that is typed: what is stored is reckoned', async () => {
    person([puts(() => HttpResponse.json({ months: [] })) as never])
    const restField = await screen.findByLabelText('Resturlaub am 1. Januar 2026')
    expect((restField as HTMLInputElement).value).toBe('31,5')
    await userEvent.clear(restField)
    await fill(restField, '24,5')
    await press('Stammdaten speichern')
    await success('Gespeichert.')
    expect(sent).toEqual(
      ['true', 'false'].map(dry => ({
        method: 'PUT',
        path: `/api/users/u-4/employment?dryRun=${dry}`,
        body: { openingVacationDays: -3.5 },
      })),
    )
  })

  it('is asked about before months that are over are altered', async () => {
    const months = ['2025-11', '2025-12', '2026-01'].map(month => ({ month, exported: false, locked: false }))
    person([puts(() => HttpResponse.json({ months })) as never])
    const opening = await screen.findByLabelText('Anfangssaldo')
    await userEvent.clear(opening)
    await fill(opening, '-4:30')
    await press('Stammdaten speichern')
    const question = await dialog('Frühere Monate ändern?')
    expect(question.getByText('Ändert 3 Monate: November, Dezember 2025, Januar 2026')).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toHaveLength(1)
    await press('Stammdaten speichern')
    await userEvent.click(
      (await dialog('Frühere Monate ändern?')).getByRole('button', { name: 'Trotzdem ändern' }),
    )
    await success('Gespeichert.')
    expect(sent.at(-1)?.path).toContain('dryRun=false')
  })

  it('shows the times of the month, with what is missing, and what has lapsed of the vacation', async () => {
    wide()
    person()
    const times = await screen.findByRole('table', { name: 'Zeiten im November 2026' })
    expect(times.textContent?.replaceAll('\u00a0', ' ')).toContain('08:02 – fehlt')
    expect(within(times).getByText('Gehen fehlt')).toBeTruthy()
    expect((await screen.findByText('Verfallen')).nextSibling?.textContent).toBe('−1\u00a0Tag')
  })

  it('says that the times could not be had', async () => {
    person([http.get(url('/api/users/u-4/times'), () => refusal(500, 'Gerade nicht.'))])
    expect(await screen.findByText('Die Zeiten konnten nicht geladen werden.')).toBeTruthy()
    expect(await screen.findByText('Resturlaub')).toBeTruthy()
  })

  it('ends what is planned behind the exit only once that is agreed to', async () => {
    const plans = [{ kind: 'vacation', id: 'v-1', date: '2026-12-07' }]
    person([
      puts(async request =>
        ((await request.json()) as { endPlans?: boolean }).endPlans
          ? HttpResponse.json({ months: [] })
          : refusal(409, 'Nach dem Austritt liegt noch etwas.', { code: 'plans_after_exit', plans }),
      ) as never,
    ])
    await fill(await screen.findByLabelText('Austritt'), '30.11.2026')
    await press('Stammdaten speichern')
    const question = await dialog('Nach dem Austritt ist noch etwas geplant')
    expect(question.getByText('Urlaub am 7. Dezember 2026')).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'Austritt eintragen und alles beenden' }))
    await success('Gespeichert.')
    expect(sent.at(-1)?.body).toEqual({ exitDate: '2026-11-30', endPlans: true })
  })

  it('is booked for, and a wrong booking is booked back', async () => {
    person([
      http.post(url('/api/users/u-4/bookings'), async ({ request }) => {
        await note(request)
        return HttpResponse.json({}, { status: 201 })
      }) as never,
    ])
    await press('„Überstunden ausgezahlt“ gegenbuchen')
    const form = await dialog('Auf das Konto von Finn Maurer buchen')
    expect((form.getByLabelText('Stunden und Minuten') as HTMLInputElement).value).toBe('2:00')
    await userEvent.click(form.getByRole('button', { name: 'Buchen' }))
    await success('Gebucht.')
    expect(sent[0]?.body).toEqual({
      date: '2026-11-13',
      minutes: 120,
      reason: 'Gegenbuchung: Überstunden ausgezahlt',
    })
  })
})

describe('what is kept of a person', () => {
  const erasure = (answer: Answer) =>
    http.post(url('/api/users/u-4/erasure'), async ({ request }) => {
      await note(request.clone())
      return answer(request)
    })
  const ERASURE = {
    erased: [{ what: 'Dienste', count: 3 }],
    kept: [
      { what: 'Zeiteinträge', count: 220, until: '2028-12-31', why: 'Aufzeichnung der Arbeitszeit.' },
      { what: 'Änderungsprotokoll', count: 4, until: null, why: 'Nur Kennungen.' },
    ],
  }

  it('is not erased without a reason, nor while they are employed, and says why', async () => {
    person([erasure(() => refusal(409, 'Die Person ist noch beschäftigt.'))])
    await press('Daten löschen')
    const question = await dialog('Daten von „Finn Maurer“ löschen?')
    await userEvent.click(question.getByRole('button', { name: 'Endgültig löschen' }))
    expect(sent).toEqual([])
    await fill(question.getByLabelText('Grund'), 'Auf Wunsch')
    await userEvent.click(question.getByRole('button', { name: 'Endgültig löschen' }))
    await question.findByText('Die Person ist noch beschäftigt.')
  })

  it('is erased with a protocol of what went and what stays, until when and why', async () => {
    person([erasure(() => HttpResponse.json(ERASURE))])
    await press('Daten löschen')
    const question = await dialog('Daten von „Finn Maurer“ löschen?')
    await fill(question.getByLabelText('Grund'), ' Auf Wunsch ')
    await userEvent.click(question.getByRole('button', { name: 'Endgültig löschen' }))
    const protocol = await dialog('Löschprotokoll: Finn Maurer')
    expect(sent.map(({ body }) => body)).toEqual([{ comment: 'Auf Wunsch' }])
    expect(protocol.getByText('Dienste')).toBeTruthy()
    expect(protocol.getByText('31.12.2028')).toBeTruthy()
    expect(protocol.getByText('solange das Firmenkonto besteht')).toBeTruthy()
    expect(protocol.getByRole('button', { name: 'Drucken' })).toBeTruthy()
    expect(document.querySelector('[data-paper]')?.textContent).toContain('Aufbewahrt: Zeiteinträge (220)')
  })
})
