import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { success, wide } from '../../../tests/page'
import {
  ADA,
  ask,
  BELA,
  FINN,
  field,
  INGRID,
  MIRA,
  people,
  renderAt,
  row,
  servePeople,
} from '../../../tests/people'
import { refusal, server, url } from '../../../tests/server'
import type { User } from '../../entities/people/people'
import { ResetPage } from './ResetPage'

const TOKEN = 'a1'.repeat(32)
const EVERYBODY: User[] = [
  ADA,
  BELA,
  INGRID,
  { ...FINN, lockToken: TOKEN },
  { ...MIRA, secondFactor: 'authenticator', resetExpiresAt: '2026-11-21T10:10:00.000Z' },
]

servePeople(BELA, 'holm', { holm: EVERYBODY, voss: EVERYBODY })
// Installs a clipboard, as a browser has.
beforeEach(() => void userEvent.setup())

const page = () => renderAt(ResetPage, 'holm', BELA, 'holm')

/** The person's state has changed. */
function now(id: string, more: Partial<User>) {
  people.holm = (people.holm ?? []).map(each => (each.id === id ? { ...each, ...more } : each))
}

describe('the list', () => {
  it('that cannot be loaded says so and tries again', async () => {
    server.use(
      http.get(url('/api/companies/:id/users'), () => refusal(500, 'Interner Fehler.'), { once: true }),
    )
    page()
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Nutzerliste konnte nicht geladen werden.')).toBeTruthy()
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByText('Ingrid')
  })

  it('without anybody says so and resets nobody', async () => {
    people.holm = []
    page()
    await screen.findByText('Diese Firma hat noch keine Logins.')
    expect(screen.getByRole('link', { name: 'Login anlegen' }).getAttribute('href')).toBe(
      '/?tab=logins&firma=holm',
    )
    expect(screen.queryByRole('button', { name: 'Alle zurücksetzen …' })).toBeNull()
  })

  it('offers nothing on the protected and on oneself', async () => {
    page()
    const founder = await row('Ada')
    expect(founder.queryByRole('button')).toBeNull()
    expect(founder.getByText('Dieser Nutzer kann nicht bearbeitet werden (FOUNDER).')).toBeTruthy()
    const self = await row('Bela')
    expect(self.queryByRole('button')).toBeNull()
    expect(self.getByText('Das bist du')).toBeTruthy()
  })

  it('shows role, lock with its token, second factor, and until when a reset lives', async () => {
    page()
    expect((await row('Ingrid')).getByText('Firmen-Admin')).toBeTruthy()
    const finn = await row('Finn')
    expect(finn.getByText('Account locked (TOS Violation/ Safety)')).toBeTruthy()
    expect(finn.getByText(TOKEN)).toBeTruthy()
    expect(finn.getByRole('button', { name: 'Finn entsperren' })).toBeTruthy()
    expect(finn.queryByRole('button', { name: 'Finn sperren' })).toBeNull()
    const mira = await row('Mira')
    expect(mira.getByText('Zweiter Faktor: Authenticator-App')).toBeTruthy()
    expect(mira.getByText('Passwort zurückgesetzt, gilt bis 21. November, 11:10 Uhr')).toBeTruthy()
  })

  it('shows the same in a table, where there is room for one, sorted by its head', async () => {
    wide()
    page()
    const table = within(await screen.findByRole('table', { name: 'Nutzer' }))
    const names = () =>
      table.getAllByRole('rowheader').map(element => /^[A-Z][a-z]+/.exec(element.textContent)?.[0])
    expect(names()).toEqual(['Ada', 'Bela', 'Finn', 'Ingrid', 'Mira'])
    await userEvent.click(table.getByRole('button', { name: 'Benutzername' }))
    expect(names()).toEqual(['Mira', 'Ingrid', 'Finn', 'Bela', 'Ada'])
    expect((await row('Ada')).getByText('Dieser Nutzer kann nicht bearbeitet werden (FOUNDER).')).toBeTruthy()
    expect((await row('Bela')).getByText('Das bist du')).toBeTruthy()
    const finn = await row('Finn')
    expect(finn.getByText('Mitarbeiter')).toBeTruthy()
    expect(finn.getByText('Account locked (TOS Violation/ Safety)')).toBeTruthy()
    expect(finn.getByText(TOKEN)).toBeTruthy()
    expect(finn.getByRole('button', { name: 'Finn entsperren' })).toBeTruthy()
    expect((await row('Mira')).getByText('Zweiter Faktor: Authenticator-App')).toBeTruthy()
  })

  it('is searched by name and by tag', async () => {
    page()
    await screen.findByText('Ingrid')
    await userEvent.type(field('Person suchen'), 'c4')
    expect(screen.getByText('Finn')).toBeTruthy()
    expect(screen.queryByText('Ingrid')).toBeNull()
    await userEvent.type(field('Person suchen'), 'xyz')
    await screen.findByText('Niemand mit diesem Namen oder Tag.')
    await userEvent.click(screen.getByRole('button', { name: 'Alle zeigen' }))
    await screen.findByText('Ingrid')
    await waitFor(() => expect(document.activeElement).toBe(field('Person suchen')))
  })

  it('waits for the choice of a company', async () => {
    const { choose } = page()
    choose(null)
    await screen.findByText('Wähle oben eine Firma aus.')
  })
})

describe('a reset', () => {
  it('that is refused says so in place', async () => {
    server.use(http.put(url('/api/users/u-1/password-reset'), () => refusal(409, 'Das bist du selbst.')))
    page()
    const dialog = await ask('Passwort von Ingrid zurücksetzen')
    await userEvent.click(dialog.getByRole('button', { name: 'Zurücksetzen' }))
    const alert = await dialog.findByRole('alert')
    expect(within(alert).getByText('Zurücksetzen fehlgeschlagen.')).toBeTruthy()
    expect(within(alert).getByText('Das bist du selbst.')).toBeTruthy()
  })

  it('shows the password once, and is left by its own button alone', async () => {
    server.use(
      http.put(url('/api/users/u-1/password-reset'), () =>
        HttpResponse.json({ password: 'nebel-kran-7041', expiresAt: '2026-11-21T10:10:00.000Z' }),
      ),
    )
    page()
    const dialog = await ask('Passwort von Ingrid zurücksetzen')
    await userEvent.click(dialog.getByRole('button', { name: 'Zurücksetzen' }))
    await screen.findByRole('dialog', { name: 'Neues Passwort für „Ingrid“' })
    expect(screen.getByText('nebel-kran-7041')).toBeTruthy()
    expect(screen.getByText(/Gilt bis 21\. November, 11:10 Uhr\./)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Kopieren: Passwort von Ingrid' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('nebel-kran-7041'))
    await userEvent.keyboard('{Escape}')
    expect(screen.getByText('nebel-kran-7041')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Fertig' }))
    expect(screen.queryByText('nebel-kran-7041')).toBeNull()
  })

  it('is what unlocks', async () => {
    server.use(
      http.put(url('/api/users/u-2/password-reset'), () => {
        now('u-2', { isLocked: false, lockToken: null })
        return HttpResponse.json({ password: 'nebel-kran-7041', expiresAt: '2026-11-21T10:10:00.000Z' })
      }),
    )
    page()
    const dialog = await ask('Finn entsperren')
    expect(dialog.getByText(/Dabei wird das Passwort zurückgesetzt/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Entsperren' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Fertig' }))
    expect(screen.queryByText(TOKEN)).toBeNull()
    const resetButton = await screen.findByRole('button', { name: 'Passwort von Finn zurücksetzen' })
    await waitFor(() => expect(document.activeElement).toBe(resetButton))
  })
})

describe('a question', () => {
  it.each([['Alle zurücksetzen …'], ['Passwort von Ingrid zurücksetzen']])(
    'ends with the company it was asked under: %s',
    async button => {
      const { choose } = page()
      await ask(button)
      choose(null)
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      choose('voss')
      await screen.findByText('Ingrid')
      expect(screen.queryByRole('dialog')).toBeNull()
    },
  )
})

describe('a lock', () => {
  const locked = () =>
    server.use(
      http.put(url('/api/users/u-1/lock'), () => {
        now('u-1', { isLocked: true, lockToken: 'b2'.repeat(32) })
        return HttpResponse.json({ token: 'b2'.repeat(32) })
      }),
    )

  it('that fails says so', async () => {
    server.use(http.put(url('/api/users/u-1/lock'), () => HttpResponse.error()))
    page()
    const dialog = await ask('Ingrid sperren')
    await userEvent.click(dialog.getByRole('button', { name: 'Sperren' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'Sperren fehlgeschlagen.Server nicht erreichbar.',
    )
  })

  it('shows its token and has copied it', async () => {
    locked()
    page()
    const dialog = await ask('Ingrid sperren')
    await userEvent.click(dialog.getByRole('button', { name: 'Sperren' }))
    const done = within(await screen.findByRole('dialog', { name: '„Ingrid“ ist gesperrt' }))
    expect(done.getByText('b2'.repeat(32))).toBeTruthy()
    expect(done.getByText('Der Lock-Token liegt in der Zwischenablage.')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('b2'.repeat(32))
    await userEvent.click(done.getByRole('button', { name: 'Fertig' }))
    await screen.findByRole('button', { name: 'Ingrid entsperren' })
    expect((await row('Ingrid')).getByText('Account locked (TOS Violation/ Safety)')).toBeTruthy()
  })

  it('whose token the browser does not copy says that, and shows it all the same', async () => {
    locked()
    const user = userEvent.setup({ writeToClipboard: false })
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    page()
    await user.click(await screen.findByRole('button', { name: 'Ingrid sperren' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sperren' }))
    expect(await screen.findByText('Kopieren nicht möglich.')).toBeTruthy()
    expect(within(screen.getByRole('dialog')).getByText('b2'.repeat(32))).toBeTruthy()
  })
})

describe('the second factor', () => {
  it('is offered where there is one, asked about, and gone', async () => {
    server.use(
      http.delete(url('/api/users/u-3/second-factor'), () => {
        now('u-3', { secondFactor: null })
        return new HttpResponse(null, { status: 204 })
      }),
    )
    page()
    expect((await row('Ingrid')).queryByText('Zweiten Faktor zurücksetzen')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Weitere Aktionen: Ingrid' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Weitere Aktionen: Mira' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Zweiten Faktor zurücksetzen' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Zurücksetzen' }))
    await success('Zweiter Faktor von „Mira“ zurückgesetzt.')
    expect(screen.queryByText(/Authenticator-App/)).toBeNull()
  })
})

describe('resetting all', () => {
  const open = async () => ask('Alle zurücksetzen …')

  it('is asked first, and says so when it fails', async () => {
    server.use(
      http.put(url('/api/companies/holm/password-reset-all'), () => refusal(500, 'Interner Fehler.')),
    )
    page()
    const dialog = await open()
    expect(dialog.getByText(/Ausgenommen sind geschützte und gesperrte Personen/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Alle zurücksetzen' }))
    const alert = await dialog.findByRole('alert')
    expect(within(alert).getByText('Massen-Reset fehlgeschlagen.')).toBeTruthy()
  })

  it('of nobody says so', async () => {
    server.use(http.put(url('/api/companies/holm/password-reset-all'), () => HttpResponse.json([])))
    page()
    await userEvent.click((await open()).getByRole('button', { name: 'Alle zurücksetzen' }))
    await screen.findByText('Es gab niemanden, dessen Passwort zurückgesetzt werden konnte.')
  })

  it('shows the list once, on the screen and on paper', async () => {
    server.use(
      http.put(url('/api/companies/holm/password-reset-all'), () =>
        HttpResponse.json([
          { userId: 'u-1', username: 'Ingrid', password: 'nebel-1' },
          { userId: 'u-3', username: 'Mira', password: 'nebel-3' },
        ]),
      ),
    )
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    page()
    await userEvent.click((await open()).getByRole('button', { name: 'Alle zurücksetzen' }))
    const list = within(await screen.findByRole('dialog', { name: 'Neue Passwörter: Tischlerei Holm' }))
    expect(list.getAllByRole('row').map(element => element.textContent)).toEqual([
      'BenutzernamePasswort',
      'Ingridnebel-1',
      'Miranebel-3',
    ])
    await userEvent.click(list.getByRole('button', { name: 'Drucken' }))
    expect(print).toHaveBeenCalledOnce()
    expect(document.querySelector('[data-paper]')?.textContent).toContain('Ingrid')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(list.getByRole('button', { name: 'Liste gesichert, schließen' }))
    expect(screen.queryByText('nebel-1')).toBeNull()
    expect(document.querySelector('[data-paper]')).toBeNull()
  })
})
