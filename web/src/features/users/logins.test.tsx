import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../../tests/page'
import { logInAs, MIA, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { LoginsPage } from './LoginsPage'
import type { User } from './people'

const ADA: User = { id: 'u-0', username: 'Ada', role: 'admin', tagId: 'FOUNDER', isLocked: false }
const BELA: User = { id: 'u-9', username: 'Bela', role: 'admin', tagId: '04AA', isLocked: false }
const INGRID: User = {
  id: 'u-1',
  username: 'Ingrid',
  role: 'companyAdmin',
  tagId: '04A1B2C3',
  isLocked: false,
}
const FINN: User = { id: 'u-2', username: 'Finn', role: 'user', tagId: '04A1B2C4', isLocked: true }
const IT: User = { id: 'u-3', username: 'Wartung', role: 'user', tagId: 'IT', isLocked: false }

let people: Record<string, User[]>

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => {
  people = { house: [ADA, BELA], holm: [INGRID, FINN, IT] }
  reload()
  logInAs({ ...MIA, role: 'admin', companyId: 'house', userId: ADA.id })
  reportReached()
  server.use(
    http.get(url('/api/companies/:id/users'), ({ params }) => HttpResponse.json(people[`${params.id}`])),
    http.get(url('/api/companies/:id/settings'), () => HttpResponse.json({ timeZone: 'Europe/Berlin' })),
  )
})
afterEach(() => {
  server.resetHandlers()
  vi.restoreAllMocks()
})
afterAll(() => server.close())

const page = (companyId: string | null = 'holm', userId = ADA.id) =>
  renderPage(
    <LoginsPage
      company={companyId === null ? null : { id: companyId }}
      picker={<p>Firmen</p>}
      self={{ userId, companyId: 'house' }}
    />,
  )

let choose: (companyId: string | null) => void

/** The page under a picker in the test's hand. */
function Choosing({ start }: { start: string | null | undefined }) {
  const [companyId, setCompanyId] = useState(start)
  choose = chosen => act(() => setCompanyId(chosen))
  return (
    <LoginsPage
      company={typeof companyId === 'string' ? { id: companyId } : companyId}
      picker={<p>Firmen</p>}
      self={{ userId: ADA.id, companyId: 'house' }}
    />
  )
}

/** An answer that waits until the test lets it go. */
function held<Answer>(answer: () => Answer) {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  return { answer: () => released.then(answer), release: () => release() }
}

const refusal = (status: number, message: string, errors?: object[]) =>
  HttpResponse.json(
    { status, code: 'x', message, detail: message, errors },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Login anlegen' }))
const roles = () =>
  within(screen.getByLabelText('Rolle'))
    .getAllByRole('option')
    .map(each => each.textContent)

async function fill() {
  await userEvent.type(field('Benutzername'), 'Greta')
  await userEvent.type(field('Passwort'), 'Hobelbank26')
  await userEvent.type(field('Tag-ID'), ' 04 a1:b2 c5 ')
}

describe('a new login', () => {
  it.each([
    ['without a company', null, true],
    ['without anything', 'holm', false],
  ])('%s is not sent anywhere', async (_what, companyId, filled) => {
    let calls = 0
    server.use(
      http.post(url('/api/users'), () => {
        calls += 1
        return HttpResponse.json({})
      }),
    )
    page(companyId)
    if (filled) await fill()
    await submit()
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.',
    )
    if (!filled) expect(document.activeElement).toBe(field('Benutzername'))
    expect(calls).toBe(0)
  })

  it('that is refused keeps what was typed and says why', async () => {
    server.use(
      http.post(url('/api/users'), () =>
        refusal(422, 'Die Tag-ID FOUNDER ist reserviert.', [
          { field: 'tagId', message: 'Die Tag-ID FOUNDER ist reserviert.' },
        ]),
      ),
    )
    page()
    await fill()
    await submit()
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Anlegen des Logins.')).toBeTruthy()
    expect(within(alert).getByText('Die Tag-ID FOUNDER ist reserviert.')).toBeTruthy()
    expect(field('Tag-ID').getAttribute('aria-invalid')).toBe('true')
    expect(field('Passwort').value).toBe('Hobelbank26')
  })

  it('of a system administrator is the service’s to refuse, in its words', async () => {
    const sentence = 'Nur Nutzer mit FOUNDER-Tag dürfen einen System-Admin anlegen.'
    server.use(http.post(url('/api/users'), () => refusal(403, sentence)))
    page('house')
    await waitFor(() => expect(roles()).toContain('System-Admin'))
    await fill()
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'admin')
    await submit()
    await screen.findByText(sentence)
  })

  it('sends the tag without blanks and in capitals, and shows the password until it is put away', async () => {
    let sent: unknown
    server.use(
      http.post(url('/api/users'), async ({ request }) => {
        sent = await request.json()
        people.holm?.push({ id: 'u-7', username: 'Greta', role: 'companyAdmin', tagId: '04A1B2C5' })
        return HttpResponse.json({ id: 'u-7', username: 'Greta' }, { status: 201 })
      }),
    )
    page()
    await fill()
    await userEvent.tab()
    expect(field('Tag-ID').value).toBe('04A1B2C5')
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'Firmen-Admin')
    await submit()
    const done = within(await screen.findByRole('region', { name: 'Login für „Greta“ angelegt.' }))
    expect(sent).toEqual({
      companyId: 'holm',
      username: 'Greta',
      password: 'Hobelbank26',
      tagId: '04A1B2C5',
      role: 'companyAdmin',
    })
    expect(done.getByText('Hobelbank26')).toBeTruthy()
    expect(field('Benutzername').value).toBe('')
    const admins = within(screen.getByRole('region', { name: 'Firmen-Admins' }))
    expect(admins.getByText('Greta')).toBeTruthy()
    await userEvent.click(done.getByRole('button', { name: 'Schließen' }))
    expect(screen.queryByText('Hobelbank26')).toBeNull()
    expect(document.activeElement).toBe(field('Benutzername'))
  })

  it('is brought into view with its password, each time anew', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    let count = 0
    server.use(
      http.post(url('/api/users'), () => {
        count += 1
        return HttpResponse.json({ id: `u-7${count}`, username: 'Greta' })
      }),
    )
    page()
    for (const time of [1, 2]) {
      await fill()
      await submit()
      await waitFor(() => expect(shown).toHaveBeenCalledTimes(time))
      expect(shown.mock.contexts.at(-1)).toBe(screen.getByRole('region', { name: /Greta.* angelegt/ }))
      expect(document.activeElement).toBe(field('Benutzername'))
    }
  })

  it('says beforehand how long a password has to be', () => {
    page()
    expect(screen.getByRole('form', { name: 'Login anlegen' }).textContent).toContain('Mindestens 8 Zeichen.')
  })

  it('keeps what was typed when the company is chosen as told, and the notice goes', async () => {
    renderPage(<Choosing start={null} />)
    await fill()
    await submit()
    await screen.findByText('Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen.')
    choose('holm')
    await screen.findByText('Ingrid')
    expect(['Benutzername', 'Passwort', 'Tag-ID'].map(name => field(name).value)).toEqual([
      'Greta',
      'Hobelbank26',
      '04A1B2C5',
    ])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('of one company is not shown under another: neither what was made nor what was refused', async () => {
    server.use(
      http.post(url('/api/users'), () => HttpResponse.json({ id: 'u-7', username: 'Greta' }), { once: true }),
      http.post(url('/api/users'), () => refusal(422, 'Diese Tag-ID ist vergeben.')),
    )
    renderPage(<Choosing start="holm" />)
    await fill()
    await submit()
    await screen.findByText('Hobelbank26')
    await fill()
    await submit()
    await screen.findByText('Diese Tag-ID ist vergeben.')
    choose('house')
    expect(screen.queryByText('Hobelbank26')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field('Benutzername').value).toBe('Greta')
  })

  it('begins with the least role again after one was created, and where a role is not to be had', async () => {
    server.use(http.post(url('/api/users'), () => HttpResponse.json({ id: 'u-7', username: 'Greta' })))
    renderPage(<Choosing start="house" />)
    await waitFor(() => expect(roles()).toContain('System-Admin'))
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'Firmen-Admin')
    await fill()
    await submit()
    await screen.findByText('Hobelbank26')
    expect(field('Rolle').value).toBe('user')
    await userEvent.selectOptions(screen.getByLabelText('Rolle'), 'System-Admin')
    choose('holm')
    expect(field('Rolle').value).toBe('user')
  })

  it('gets a password at a press, to be read', async () => {
    page()
    await userEvent.click(screen.getByRole('button', { name: 'Erzeugen' }))
    expect(field('Passwort').value).toHaveLength(14)
    expect(field('Passwort').type).toBe('text')
  })

  it.each([
    ['a founder at the operator’s', 'house', ADA, true],
    ['a founder at another company', 'holm', ADA, false],
    ['a plain system administrator', 'house', BELA, false],
  ])('by %s may be a system administrator’s or not', async (_who, companyId, self, offered) => {
    if (!offered) people.house = [ADA, BELA].filter(each => each.id === self.id)
    page(companyId, self.id)
    await screen.findAllByRole('listitem')
    await waitFor(() => expect(roles().includes('System-Admin')).toBe(offered))
  })
})

describe('the lists', () => {
  it('that cannot be loaded say so and try again', async () => {
    server.use(
      http.get(url('/api/companies/:id/users'), () => refusal(500, 'Interner Fehler.'), { once: true }),
    )
    page()
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Laden der Nutzer')).toBeTruthy()
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByText('Ingrid')
  })

  it('are awaited while the company is not known yet, and asked for only where none is chosen', async () => {
    renderPage(<Choosing start={undefined} />)
    await screen.findByText('Wird geladen …')
    expect(screen.queryByText('Wähle oben eine Firma aus.')).toBeNull()
    choose(null)
    await screen.findByText('Wähle oben eine Firma aus.')
  })

  it('without anybody say so', async () => {
    people.holm = []
    page()
    await screen.findByText('Noch niemand verwaltet diese Firma.')
    expect(screen.getByText('Noch keine Mitarbeitenden.')).toBeTruthy()
  })

  it('offer nothing on the protected and say why; locked people carry their badge', async () => {
    page()
    const row = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement)
    const it = await row('Wartung')
    expect(it.queryByRole('button')).toBeNull()
    expect(it.getByText('Dieser Nutzer kann nicht bearbeitet werden (IT).')).toBeTruthy()
    expect((await row('Finn')).getByText('Account locked (TOS Violation/ Safety)')).toBeTruthy()
    expect((await row('Finn')).getAllByRole('button')).toHaveLength(2)
  })

  it('show founders the system administrators, themselves without actions', async () => {
    page('house')
    const admins = within(await screen.findByRole('region', { name: 'System-Admins' }))
    expect(admins.getByText('Dieser Nutzer kann nicht bearbeitet werden (FOUNDER).')).toBeTruthy()
    expect(admins.getAllByRole('button').map(each => each.getAttribute('aria-label'))).toEqual([
      'Bela bearbeiten',
      'Bela löschen',
    ])
  })

  it('are searched', async () => {
    page()
    await screen.findByText('Ingrid')
    await userEvent.type(field('Person suchen'), 'fin')
    expect(screen.queryByText('Ingrid')).toBeNull()
    expect(screen.getByText('Finn')).toBeTruthy()
    await userEvent.type(field('Person suchen'), 'xyz')
    await userEvent.click(screen.getByRole('button', { name: 'Alle zeigen' }))
    expect(screen.getByText('Ingrid')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field('Person suchen')))
  })
})

describe('changing a login', () => {
  const open = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: `${name} bearbeiten` }))
    return within(await screen.findByRole('dialog'))
  }

  it('that is refused stays open and says why', async () => {
    const sentence = "Nur Nutzer mit FOUNDER-Tag dürfen die Rolle 'System-Admin' zuweisen."
    server.use(http.put(url('/api/users/u-1'), () => refusal(403, sentence)))
    page()
    const dialog = await open('Ingrid')
    await userEvent.selectOptions(dialog.getByLabelText('Rolle'), 'Mitarbeiter')
    expect(dialog.getByText(/endet die laufende Sitzung/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    const alert = await dialog.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Speichern.')).toBeTruthy()
    expect(within(alert).getByText(sentence)).toBeTruthy()
  })

  it('is not left while it is being saved', async () => {
    const { answer, release } = held(() => HttpResponse.json({ ...INGRID, username: 'Ingrid Holm' }))
    server.use(http.put(url('/api/users/u-1'), answer))
    page()
    const dialog = await open('Ingrid')
    await userEvent.type(dialog.getByLabelText('Benutzername'), ' Holm')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Abbrechen' })).toHaveProperty('disabled', true)
    release()
    await screen.findByText('„Ingrid Holm“ gespeichert.')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('ends with the company it was asked under', async () => {
    renderPage(<Choosing start="holm" />)
    await open('Ingrid')
    choose('house')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    choose('holm')
    await screen.findByText('Ingrid')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('without a change asks nobody', async () => {
    page()
    const dialog = await open('Ingrid')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('sends what was changed, and from when the tag holds', async () => {
    let sent: unknown
    server.use(
      http.put(url('/api/users/u-1'), async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json({ ...INGRID, username: 'Ingrid Holm' })
      }),
    )
    page()
    const dialog = await open('Ingrid')
    await userEvent.type(dialog.getByLabelText('Benutzername'), ' Holm')
    await userEvent.clear(dialog.getByLabelText('Tag-ID'))
    await userEvent.type(dialog.getByLabelText('Tag-ID'), '04 ff ff ff')
    await waitFor(() => expect(dialog.getByLabelText('Tag gilt ab')).toHaveProperty('disabled', false))
    await userEvent.type(dialog.getByLabelText('Tag gilt ab'), '2026-07-01T08:00')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await screen.findByText('„Ingrid Holm“ gespeichert.')
    expect(sent).toEqual({
      username: 'Ingrid Holm',
      tagId: '04FFFFFF',
      tagFrom: '2026-07-01T06:00:00.000Z',
    })
  })

  it('reads the time in the company’s zone, and says which that is', async () => {
    let sent: unknown
    server.use(
      http.get(url('/api/companies/holm/settings'), () => HttpResponse.json({ timeZone: 'Atlantic/Azores' })),
      http.put(url('/api/users/u-1'), async ({ request }) => {
        sent = await request.json()
        return HttpResponse.json(INGRID)
      }),
    )
    page()
    const dialog = await open('Ingrid')
    await dialog.findByText(/Zeitzone der Firma: Atlantic\/Azores/)
    await userEvent.type(dialog.getByLabelText('Tag gilt ab'), '2026-07-01T08:00')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await screen.findByText('„Ingrid“ gespeichert.')
    expect(sent).toEqual({ tagId: '04A1B2C3', tagFrom: '2026-07-01T08:00:00.000Z' })
  })

  it('takes no time while the company’s zone is not known', async () => {
    server.use(http.get(url('/api/companies/holm/settings'), () => refusal(500, 'Interner Fehler.')))
    page()
    const dialog = await open('Ingrid')
    expect(dialog.getByLabelText('Tag gilt ab')).toHaveProperty('disabled', true)
    expect(dialog.getByText(/Zeitzone der Firma ist noch nicht bekannt/)).toBeTruthy()
  })

  it('leaves out the own role', async () => {
    people.house = [BELA]
    page('house', BELA.id)
    const dialog = await open('Bela')
    expect(dialog.queryByLabelText('Rolle')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Bela löschen' })).toBeNull()
  })
})

describe('deleting a login', () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Finn löschen' }))
    return within(await screen.findByRole('dialog', { name: 'Login von „Finn“ löschen?' }))
  }

  it('is asked first; "Abbrechen" changes nothing', async () => {
    page()
    const dialog = await open()
    expect(dialog.getByText(/sofort abgemeldet/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('Finn')).toBeTruthy()
  })

  it('that fails says so', async () => {
    server.use(http.delete(url('/api/users/u-2'), () => HttpResponse.error()))
    page()
    const dialog = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Login löschen' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'Fehler beim Löschen.Server nicht erreichbar.',
    )
  })

  it('takes the row away and says so', async () => {
    server.use(
      http.delete(url('/api/users/u-2'), () => {
        people.holm = [INGRID]
        return new HttpResponse(null, { status: 204 })
      }),
    )
    page()
    const dialog = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Login löschen' }))
    await screen.findByText('Login von „Finn“ gelöscht.')
    expect(screen.queryByText('Finn')).toBeNull()
  })
})
