import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { success, wide } from '../../../tests/page'
import {
  ask,
  BELA,
  field,
  INGRID,
  people,
  pick,
  renderLogins,
  row,
  serveLoginsPage,
} from '../../../tests/people'
import { held, refusal, server, url } from '../../../tests/server'

serveLoginsPage()

describe('the lists', () => {
  it('that cannot be loaded say so and try again', async () => {
    server.use(
      http.get(url('/api/companies/:id/users'), () => refusal(500, 'Interner Fehler.'), { once: true }),
    )
    renderLogins()
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Laden der Nutzer')).toBeTruthy()
    await userEvent.click(within(alert).getByRole('button', { name: 'Erneut versuchen' }))
    await screen.findByText('Ingrid')
  })

  it('are awaited while the company is not known yet, and asked for only where none is chosen', async () => {
    const { answer, release } = held(() => HttpResponse.json([]))
    server.use(http.get(url('/api/companies'), answer))
    const { choose } = renderLogins('holm')
    expect(await screen.findAllByText('Wird geladen …')).not.toHaveLength(0)
    expect(screen.queryByText('Wähle oben eine Firma aus.')).toBeNull()
    release()
    choose(null)
    await screen.findByText('Wähle oben eine Firma aus.')
  })

  it('without anybody say so', async () => {
    people.holm = []
    renderLogins()
    await screen.findByText('Noch niemand verwaltet diese Firma.')
    expect(screen.getByText('Noch keine Mitarbeitenden.')).toBeTruthy()
  })

  it('offer nothing on the protected and say why; locked people carry their badge', async () => {
    renderLogins()
    const it = await row('Wartung')
    expect(it.queryByRole('button')).toBeNull()
    expect(it.getByText('Dieser Nutzer kann nicht bearbeitet werden (IT).')).toBeTruthy()
    expect((await row('Finn')).getByText('Account locked (TOS Violation/ Safety)')).toBeTruthy()
    expect((await row('Finn')).getAllByRole('button')).toHaveLength(2)
  })

  it('show founders the system administrators, themselves without actions', async () => {
    renderLogins('house')
    const admins = within(await screen.findByRole('region', { name: 'System-Admins' }))
    expect(admins.getByText('Dieser Nutzer kann nicht bearbeitet werden (FOUNDER).')).toBeTruthy()
    expect(admins.getAllByRole('button').map(element => element.getAttribute('aria-label'))).toEqual([
      'Bela bearbeiten',
      'Bela löschen',
    ])
  })

  it('are searched', async () => {
    renderLogins()
    await screen.findByText('Ingrid')
    await userEvent.type(field('Person suchen'), '  ')
    expect(screen.getByText('Ingrid')).toBeTruthy()
    await userEvent.type(field('Person suchen'), 'fin')
    expect(screen.queryByText('Ingrid')).toBeNull()
    expect(screen.getByText('Finn')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Firmen-Admins' })).toBeNull()
    await userEvent.type(field('Person suchen'), 'xyz')
    await userEvent.click(screen.getByRole('button', { name: 'Alle zeigen' }))
    expect(screen.getByText('Ingrid')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field('Person suchen')))
  })

  it('are tables where there is room for them, sorted by their heads', async () => {
    wide()
    renderLogins()
    const table = within(await screen.findByRole('table', { name: 'Mitarbeitende' }))
    const names = () =>
      table.getAllByRole('rowheader').map(element => element.firstChild?.firstChild?.textContent)
    const sorted = () =>
      table
        .getAllByRole('columnheader')
        .map(element => [element.textContent, element.getAttribute('aria-sort')])
    const sort = (head: string) => userEvent.click(table.getByRole('button', { name: head }))
    expect(names()).toEqual(['Finn', 'Wartung'])
    expect(sorted()).toEqual([
      ['Benutzername', 'ascending'],
      ['Tag-ID', null],
      ['Aktionen', null],
    ])
    await sort('Benutzername')
    expect(names()).toEqual(['Wartung', 'Finn'])
    await sort('Tag-ID')
    expect(names()).toEqual(['Finn', 'Wartung'])
    expect(sorted()[1]).toEqual(['Tag-ID', 'ascending'])
    const it = await row('Wartung')
    expect(it.getByText('Dieser Nutzer kann nicht bearbeitet werden (IT).')).toBeTruthy()
    expect((await row('Finn')).getByText('Account locked (TOS Violation/ Safety)')).toBeTruthy()
    expect((await row('Finn')).getAllByRole('button')).toHaveLength(2)
  })

  it('show beside a tag that no clock takes it', async () => {
    people.holm = [
      { id: 'u-1', username: 'Finn', role: 'user', tagId: '08A1B2C3' },
      { id: 'u-2', username: 'Mia', role: 'user', tagId: '08A1B2C3D4E5F6' },
    ]
    renderLogins()
    expect((await row('Finn')).getByText('liest keine Uhr')).toBeTruthy()
    expect((await row('Mia')).queryByText('liest keine Uhr')).toBeNull()
    await ask('Finn bearbeiten')
    expect(screen.getByText(/Gib der Person einen anderen Chip/)).toBeTruthy()
  })

  it('stand on the page whole, however many people there are: only the page scrolls', async () => {
    wide()
    people.holm = Array.from({ length: 60 }, (_, index) => ({
      id: `u-${index}`,
      username: `Person ${index}`,
      role: 'user',
      tagId: null,
    }))
    renderLogins()
    const table = await screen.findByRole('table', { name: 'Mitarbeitende' })
    expect(within(table).getAllByRole('rowheader')).toHaveLength(60)
    expect(within(table).getAllByRole('rowheader').at(10)?.textContent).toBe('Person 10')
    expect(table.closest('[tabindex]')).toBeNull()
  })
})

describe('changing a login', () => {
  const open = (name: string) => ask(`${name} bearbeiten`)
  const moment = () => screen.getByRole('group', { name: 'Chip gilt ab' })

  async function type(day: string, time: string) {
    await userEvent.type(field('Chip gilt ab: Tag'), day)
    await userEvent.click(field('Stunden'))
    await userEvent.keyboard(time)
  }

  it('that is refused stays open and says why', async () => {
    const sentence = "Nur Nutzer mit FOUNDER-Tag dürfen die Rolle 'System-Admin' zuweisen."
    server.use(http.put(url('/api/users/u-1'), () => refusal(403, sentence)))
    renderLogins()
    const dialog = await open('Ingrid')
    await pick('Rolle', 'Mitarbeiter')
    expect(dialog.getByText(/endet die laufende Sitzung/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    const alert = await dialog.findByRole('alert')
    expect(within(alert).getByText('Fehler beim Speichern.')).toBeTruthy()
    expect(within(alert).getByText(sentence)).toBeTruthy()
  })

  it('is not left while it is being saved', async () => {
    const { answer, release } = held(() => HttpResponse.json({ ...INGRID, username: 'Ingrid Holm' }))
    server.use(http.put(url('/api/users/u-1'), answer))
    renderLogins()
    const dialog = await open('Ingrid')
    await userEvent.type(dialog.getByLabelText('Benutzername'), ' Holm')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Abbrechen' })).toHaveProperty('disabled', true)
    release()
    await success('„Ingrid Holm“ gespeichert.')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('ends with the company it was asked under', async () => {
    const { choose } = renderLogins('holm')
    await open('Ingrid')
    choose('house')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    choose('holm')
    await screen.findByText('Ingrid')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('without a change asks nobody', async () => {
    renderLogins()
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
    renderLogins()
    const dialog = await open('Ingrid')
    await userEvent.type(dialog.getByLabelText('Benutzername'), ' Holm')
    await userEvent.clear(dialog.getByLabelText('Tag-ID'))
    await userEvent.type(dialog.getByLabelText('Tag-ID'), '04 ff ff ff')
    await waitFor(() => expect(moment()).toHaveProperty('disabled', false))
    await type('1.7.2026', '0800')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await success('„Ingrid Holm“ gespeichert.')
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
    renderLogins()
    const dialog = await open('Ingrid')
    await dialog.findByText(/Zeitzone der Firma: Atlantic\/Azores/)
    await type('1.7.2026', '0800')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await success('„Ingrid“ gespeichert.')
    expect(sent).toEqual({ tagId: '04A1B2C3', tagFrom: '2026-07-01T08:00:00.000Z' })
  })

  /** Ingrid's dialog, and the number of requests. */
  async function openCounted() {
    let calls = 0
    server.use(
      http.put(url('/api/users/u-1'), () => {
        calls += 1
        return HttpResponse.json(INGRID)
      }),
    )
    renderLogins()
    const dialog = await open('Ingrid')
    await waitFor(() => expect(moment()).toHaveProperty('disabled', false))
    return { dialog, calls: () => calls }
  }

  it('wants a day with its time, or neither', async () => {
    const { dialog, calls } = await openCounted()
    await userEvent.type(field('Chip gilt ab: Tag'), '1.7.2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await dialog.findByText('Bitte Tag und Uhrzeit angeben.')
    expect(document.activeElement).toBe(field('Chip gilt ab: Tag'))
    expect(calls()).toBe(0)
  })

  it('is not sent with a day that there is not', async () => {
    const { dialog, calls } = await openCounted()
    await pick('Rolle', 'Mitarbeiter')
    const day = field('Chip gilt ab: Tag')
    await userEvent.type(day, '31.11.2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await dialog.findByText('Diesen Tag gibt es nicht.')
    expect(document.activeElement).toBe(day)
    expect(calls()).toBe(0)
    // Closed in any way, it holds nothing.
    await userEvent.click(dialog.getByRole('button', { name: 'Tag löschen', hidden: true }))
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(calls()).toBe(1))
  })

  it('wants a name', async () => {
    renderLogins()
    const dialog = await open('Ingrid')
    await userEvent.clear(field('Benutzername'))
    await userEvent.click(dialog.getByRole('button', { name: 'Speichern' }))
    await dialog.findByText('Bitte ausfüllen.')
    expect(document.activeElement).toBe(field('Benutzername'))
  })

  it('takes no time while the company’s zone is not known', async () => {
    server.use(http.get(url('/api/companies/holm/settings'), () => refusal(500, 'Interner Fehler.')))
    renderLogins()
    const dialog = await open('Ingrid')
    expect(moment()).toHaveProperty('disabled', true)
    expect(dialog.getByLabelText('Chip gilt ab: Tag')).toHaveProperty('disabled', true)
    expect(dialog.getByText(/Zeitzone der Firma ist noch nicht bekannt/)).toBeTruthy()
  })

  it('leaves out the own role', async () => {
    people.house = [BELA]
    renderLogins('house', BELA.id)
    const dialog = await open('Bela')
    expect(dialog.queryByRole('combobox', { name: 'Rolle' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Bela löschen' })).toBeNull()
  })
})

describe('deleting a login', () => {
  const open = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Finn löschen' }))
    return within(await screen.findByRole('dialog', { name: 'Login von „Finn“ löschen?' }))
  }

  it('is asked first; "Abbrechen" changes nothing', async () => {
    renderLogins()
    const dialog = await open()
    expect(dialog.getByText(/sofort abgemeldet/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('Finn')).toBeTruthy()
  })

  it('that fails says so', async () => {
    server.use(http.delete(url('/api/users/u-2'), () => HttpResponse.error()))
    renderLogins()
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
    renderLogins()
    const dialog = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Login löschen' }))
    await success('Login von „Finn“ gelöscht.')
    expect(screen.queryByText('Finn')).toBeNull()
  })

  it('is said also where something else was done a moment before', async () => {
    server.use(
      http.put(url('/api/users/u-1'), () => HttpResponse.json(INGRID)),
      http.delete(url('/api/users/u-2'), () => new HttpResponse(null, { status: 204 })),
    )
    renderLogins()
    const edit = await ask('Ingrid bearbeiten')
    await userEvent.type(edit.getByLabelText('Benutzername'), '!')
    await userEvent.click(edit.getByRole('button', { name: 'Speichern' }))
    await success('„Ingrid“ gespeichert.')
    await userEvent.click((await open()).getByRole('button', { name: 'Login löschen' }))
    await success('Login von „Finn“ gelöscht.')
  })
})
