import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage, success } from '../../../tests/page'
import { pick, renderAbout } from '../../../tests/people'
import { held, logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload, type Session } from '../../api/session'
import { CreateCompanyPage } from './CreateCompanyPage'
import { ManageCompaniesPage } from './ManageCompaniesPage'

const HOLM = { id: 'c-1', name: 'Tischlerei Holm' }
const VOSS = { id: 'c-2', name: 'Elektro Voss' }
const HOUSE = { id: 'c-0', name: 'Plattform' }
const SELF: Session = { ...MIA, role: 'admin', companyId: HOUSE.id }
const FEATURES = [
  { id: 'f-1', key: 'schedule', label: 'Dienstplan verwalten' },
  { id: 'f-2', key: 'costs', label: 'Mitarbeiterkosten einsehen' },
  { id: 'f-3', key: 'error_log', label: 'Fehlerlog' },
]

serve()
beforeEach(() => {
  reload()
  logInAs(SELF)
  reportReached()
  server.use(
    http.get(url('/api/companies'), () => HttpResponse.json([HOLM, VOSS, HOUSE])),
    http.get(url('/api/features'), () => HttpResponse.json(FEATURES)),
    http.get(url('/api/companies/:id/features'), () => HttpResponse.json(FEATURES.slice(0, 2))),
    http.get(url('/api/companies/:id/closing'), () =>
      HttpResponse.json({ purgeOn: '2032-12-31', archive: null }),
    ),
    http.get(url('/api/closed-companies'), () => HttpResponse.json([])),
  )
})

describe('"Firma anlegen"', () => {
  const createPage = () => renderPage(<CreateCompanyPage />)
  const button = () => screen.getByRole('button', { name: 'Firma anlegen' })
  const name = () => screen.getByLabelText('Firmenname')

  it.each(['', '   '])('does nothing without a name, and says so at its field: "%s"', async typed => {
    let calls = 0
    server.use(
      http.post(url('/api/companies'), () => {
        calls += 1
        return HttpResponse.json({})
      }),
    )
    createPage()
    if (typed !== '') await userEvent.type(name(), typed)
    await userEvent.click(button())
    await screen.findByText('Bitte ausfüllen.')
    expect(name().getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(name()))
    expect(screen.queryByRole('alert')).toBeNull()
    await userEvent.type(name(), 'x')
    expect(screen.queryByText('Bitte ausfüllen.')).toBeNull()
    expect(calls).toBe(0)
  })

  it.each([
    [409, 'Eine Firma mit diesem Namen gibt es bereits.', 'Eine Firma mit diesem Namen gibt es bereits.'],
    [500, '', 'Auf dem Server ist ein Fehler aufgetreten. (HTTP 500)'],
  ])('refused with %i keeps the name and says why', async (status, message, detail) => {
    server.use(http.post(url('/api/companies'), () => refusal(status, message)))
    createPage()
    await userEvent.type(name(), 'Elektro Voss{Enter}')
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Firma konnte nicht erstellt werden.')).toBeTruthy()
    expect(within(alert).getByText(detail)).toBeTruthy()
    expect(name()).toHaveProperty('value', 'Elektro Voss')
  })

  it('without the service says so, and keeps nothing for later', async () => {
    const sent: unknown[] = []
    server.use(
      http.post(url('/api/companies'), async ({ request }) => {
        sent.push(await request.json())
        return sent.length === 1
          ? HttpResponse.error()
          : HttpResponse.json({ id: 'c-9', name: 'Neu und anders' }, { status: 201 })
      }),
    )
    createPage()
    await userEvent.type(name(), 'Neu{Enter}')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('Firma konnte nicht erstellt werden.Server nicht erreichbar.')
    act(reportReached)
    // A kept request would be answered before the next one.
    await userEvent.type(name(), ' und anders{Enter}')
    await screen.findByText('Firma „Neu und anders“ angelegt.')
    expect(sent).toEqual([{ name: 'Neu' }, { name: 'Neu und anders' }])
  })

  it('trims the name and leads on to logins and modules', async () => {
    let sent: unknown
    server.use(
      http.post(url('/api/companies'), async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ id: 'c-9', name: 'Neue Firma' }, { status: 201 })
      }),
    )
    createPage()
    await userEvent.type(name(), '  Neue Firma ')
    await userEvent.click(button())
    await screen.findByText('Firma „Neue Firma“ angelegt.')
    expect(sent).toEqual({ name: 'Neue Firma' })
    expect(screen.getByRole('link', { name: /Logins anlegen/ }).getAttribute('href')).toBe(
      '/?tab=logins&firma=c-9',
    )
    expect(screen.getByRole('link', { name: /Module auswählen/ }).getAttribute('href')).toBe(
      '/?tab=companies&firma=c-9',
    )
    expect(name()).toHaveProperty('value', '')
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Wie es weitergeht' }))
  })
})

const manage = (company: { id: string } | null = HOLM) =>
  renderAbout(ManageCompaniesPage, company?.id ?? null, SELF)

describe('the choice of a company', () => {
  it('that cannot be loaded says so and tries again', async () => {
    server.use(http.get(url('/api/companies'), () => refusal(500, 'Interner Fehler.'), { once: true }))
    manage(null)
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Firmenliste konnte nicht geladen werden.')).toBeTruthy()
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByRole('combobox', { name: 'Firma' })
  })

  it('finds a company by a part of its name, or says that there is none', async () => {
    manage(null)
    const box = await screen.findByRole('combobox', { name: 'Firma' })
    expect(screen.getByText('Wähle oben eine Firma aus.')).toBeTruthy()
    await userEvent.type(box, 'xyz')
    await screen.findByText('Keine Firma mit diesem Namen.')
    await userEvent.clear(box)
    await userEvent.type(box, 'voss')
    await userEvent.click(await screen.findByRole('option', { name: 'Elektro Voss' }))
    await screen.findByRole('heading', { name: 'Module von Elektro Voss' })
  })
})

describe('"Firmen verwalten"', () => {
  const box = (name: string) => screen.findByRole('checkbox', { name })
  const save = () => screen.getByRole('button', { name: 'Speichern' })
  const unsaved = () => screen.queryByText(/nicht gespeichert$/)?.textContent
  const ticked = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked

  it('shows modules that cannot be loaded as an error with a second try', async () => {
    server.use(
      http.get(url('/api/companies/:id/features'), () => refusal(500, 'Interner Fehler.'), { once: true }),
    )
    manage()
    const alert = await screen.findByRole('alert')
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await box('Fehlerlog')
  })

  it('keeps what is ticked when saving fails, and says so', async () => {
    server.use(
      http.put(url('/api/companies/:id/features'), () =>
        refusal(422, 'Unter den Modulen ist ein unbekanntes.'),
      ),
    )
    manage()
    await userEvent.click(await box('Fehlerlog'))
    await userEvent.click(save())
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Speichern.')).toBeTruthy()
    expect(within(alert).getByText('Unter den Modulen ist ein unbekanntes.')).toBeTruthy()
    expect(screen.getByText('1 Änderung nicht gespeichert')).toBeTruthy()
  })

  it('ticks what the company has, shows what is not saved, and saves exactly these modules', async () => {
    let sent: unknown
    server.use(
      http.put(url('/api/companies/c-1/features'), async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json([FEATURES[0], FEATURES[2]])
      }),
    )
    manage()
    expect(await box('Dienstplan verwalten')).toHaveProperty('checked', true)
    expect(await box('Fehlerlog')).toHaveProperty('checked', false)
    await userEvent.click(save())
    await success('Alles gespeichert')
    expect(sent).toBeUndefined()
    await userEvent.click(await box('Fehlerlog'))
    await userEvent.click(screen.getByRole('checkbox', { name: /Mitarbeiterkosten/ }))
    expect(screen.getByText('2 Änderungen nicht gespeichert')).toBeTruthy()
    expect(screen.getByText('neu')).toBeTruthy()
    expect(screen.getByText('entfällt')).toBeTruthy()
    await userEvent.click(save())
    await success('Features aktualisiert!')
    expect(sent).toEqual({ featureIds: ['f-1', 'f-3'] })
    expect(unsaved()).toBeUndefined()
    expect(document.activeElement).toBe(save())
    expect(save()).toHaveProperty('disabled', false)
  })

  it('never turns on what was ticked off, also when somebody else was faster', async () => {
    const { queries } = manage()
    await userEvent.click(await box('Dienstplan verwalten'))
    expect(screen.getByText('1 Änderung nicht gespeichert')).toBeTruthy()
    server.use(http.get(url('/api/companies/:id/features'), () => HttpResponse.json([FEATURES[1]])))
    await act(() => queries.invalidateQueries())
    await waitFor(() => expect(unsaved()).toBeUndefined())
    expect(await box('Dienstplan verwalten')).toHaveProperty('checked', false)
  })

  it('loses nothing that was ticked while something else is being saved', async () => {
    const { answer, release } = held(() => HttpResponse.json([FEATURES[1], FEATURES[2]]))
    server.use(http.put(url('/api/companies/c-1/features'), answer))
    manage()
    await userEvent.click(await box('Fehlerlog'))
    await userEvent.click(await box('Dienstplan verwalten'))
    await userEvent.click(save())
    await userEvent.click(screen.getByRole('checkbox', { name: /Mitarbeiterkosten/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: /Dienstplan/ }))
    release()
    await success('Features aktualisiert!')
    expect(screen.getByText('2 Änderungen nicht gespeichert')).toBeTruthy()
    expect([ticked(/Dienstplan/), ticked(/Mitarbeiterkosten/), ticked(/Fehlerlog/)]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('ticks all at a press, or none', async () => {
    manage()
    await box('Fehlerlog')
    await userEvent.click(screen.getByRole('button', { name: 'Alle auswählen' }))
    expect(screen.getByText('3 von 3 ausgewählt')).toBeTruthy()
    expect(unsaved()).toBe('1 Änderung nicht gespeichert')
    await userEvent.click(screen.getByRole('button', { name: 'Verwerfen' }))
    expect(screen.getByText('2 von 3 ausgewählt')).toBeTruthy()
    expect(unsaved()).toBeUndefined()
  })

  it('asks before what is ticked is left for another company: staying keeps it, leaving drops it', async () => {
    const { where } = manage()
    await userEvent.click(await box('Fehlerlog'))
    const answer = async (name: string) => {
      await pick('Firma', 'Elektro Voss')
      const question = within(await screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' }))
      await userEvent.click(question.getByRole('button', { name }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    await answer('Weiter bearbeiten')
    expect(where()).toBe('/?firma=c-1')
    expect(screen.getByRole('combobox', { name: 'Firma' })).toHaveProperty('value', 'Tischlerei Holm')
    expect(ticked(/Fehlerlog/)).toBe(true)
    expect(unsaved()).toBe('1 Änderung nicht gespeichert')
    await answer('Verwerfen')
    await screen.findByRole('heading', { name: 'Module von Elektro Voss' })
    expect(where()).toBe('/?firma=c-2')
    await pick('Firma', 'Tischlerei Holm')
    await screen.findByRole('heading', { name: 'Module von Tischlerei Holm' })
    expect(await box('Fehlerlog')).toHaveProperty('checked', false)
    expect(unsaved()).toBeUndefined()
  })

  it('asks nobody once it is saved', async () => {
    server.use(http.put(url('/api/companies/c-1/features'), () => HttpResponse.json(FEATURES)))
    manage()
    await userEvent.click(await box('Fehlerlog'))
    await userEvent.click(save())
    await success('Features aktualisiert!')
    await pick('Firma', 'Elektro Voss')
    await screen.findByRole('heading', { name: 'Module von Elektro Voss' })
  })
})

describe('what is left of closed companies', () => {
  const KRONE = { id: 'c-7', name: 'Krone', closedAt: '2026-09-30T15:12:00.000Z', lateStamps: 0 }

  it('is told with the day until which it is kept, then with the proof and the stamps that came since', async () => {
    const rows = [
      { ...KRONE, purgeOn: '2032-12-31', purgedAt: null, tombstone: null },
      {
        ...KRONE,
        id: 'c-8',
        name: 'Lenz',
        purgeOn: null,
        purgedAt: KRONE.closedAt,
        tombstone: '{}',
        lateStamps: 12,
      },
    ]
    server.use(http.get(url('/api/closed-companies'), () => HttpResponse.json(rows)))
    manage(null)
    await screen.findByText('aufbewahrt bis 31. Dezember 2032')
    expect(screen.getByText('gelöscht am 30. September 2026')).toBeTruthy()
    expect(screen.getByText('12')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: /Löschnachweis von/ })).toHaveLength(1)
  })

  it('is said before one is closed, with whether it has taken its data along', async () => {
    manage()
    await screen.findByText(/alles nach dem 31. Dezember 2032/)
    expect(screen.getByText(/noch kein Archiv/)).toBeTruthy()
  })
})

describe('deleting a company', () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Firma löschen …' }))
    return within(await screen.findByRole('dialog', { name: '„Tischlerei Holm“ löschen?' }))
  }

  it('is not offered for the operator’s own', async () => {
    manage(HOUSE)
    await screen.findByText('Das ist die Firma des Betreibers. Sie kann nicht gelöscht werden.')
    expect(screen.queryByRole('button', { name: 'Firma löschen …' })).toBeNull()
  })

  it('wants the name typed, says what happens, and shows why it failed', async () => {
    let calls = 0
    server.use(
      http.delete(url('/api/companies/c-1'), () => {
        calls += 1
        return refusal(409, 'Die Firma des Betreibers kann nicht gelöscht werden.')
      }),
    )
    manage()
    const dialog = await open()
    expect(dialog.getByText(/sofort abgemeldet/)).toBeTruthy()
    expect(dialog.getByText(/Ihre Uhren gehören dann zu keiner Firma mehr/)).toBeTruthy()
    const confirm = dialog.getByRole('button', { name: 'Endgültig löschen' })
    const word = dialog.getByLabelText('Zum Bestätigen „Tischlerei Holm“ eingeben')
    await userEvent.click(confirm)
    await dialog.findByText('Das ist nicht der Name der Firma.')
    await userEvent.type(word, 'Tischlerei')
    expect(dialog.queryByText('Das ist nicht der Name der Firma.')).toBeNull()
    await userEvent.click(confirm)
    await dialog.findByText('Das ist nicht der Name der Firma.')
    expect(word.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(word)
    expect(calls).toBe(0)
    await userEvent.keyboard(' Holm')
    await userEvent.click(confirm)
    const alert = await dialog.findByRole('alert')
    expect(within(alert).getByText('Firma konnte nicht gelöscht werden.')).toBeTruthy()
  })

  it.each([
    ['', false],
    [', and asks nothing about what was ticked there', true],
  ])('leads back to the choice and says that it is done%s', async (_more, dirty) => {
    let isDeleted = false
    server.use(
      http.delete(url('/api/companies/c-1'), () => {
        isDeleted = true
        return new HttpResponse(null, { status: 204 })
      }),
      http.get(url('/api/companies'), () =>
        HttpResponse.json(isDeleted ? [VOSS, HOUSE] : [HOLM, VOSS, HOUSE]),
      ),
    )
    const { where } = manage()
    if (dirty) await userEvent.click(await screen.findByRole('checkbox', { name: 'Fehlerlog' }))
    const dialog = await open()
    await userEvent.type(dialog.getByLabelText(/Zum Bestätigen/), 'Tischlerei Holm{Enter}')
    await success('Firma „Tischlerei Holm“ gelöscht.')
    await screen.findByText('Wähle oben eine Firma aus.')
    await waitFor(() => expect(where()).toBe('/'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
