import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { fill, renderPage, success } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached, reportUnreachable } from '../../api/connectivity'
import { reload } from '../../api/session'
import { currentDay } from '../../ui/days'
import { NotesPage } from './NotesPage'
import { NOTES } from './samples'
import type { NewNote, Note } from './schema'

serve()

const BOSS = { ...MIA, role: 'companyAdmin' }
const LIST = url('/api/companies/c-1/notes')
const NOTE = url('/api/notes/:id')
let notes: readonly Note[]
let events: Events

beforeEach(() => {
  reload()
  logInAs(BOSS)
  reportReached()
  notes = NOTES
  events = layEvents()
  server.use(http.get(LIST, () => HttpResponse.json([...notes])))
})

const open = () => renderPage(<NotesPage session={BOSS} />)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

async function addNote(text: string) {
  await press('Notiz anlegen')
  const form = await dialog('Notiz anlegen')
  await fill(form.getByLabelText('Notiz'), text)
  await userEvent.click(form.getByRole('button', { name: 'Notiz anlegen' }))
  return form
}

async function removeFirst() {
  await press('Löschen: Die Säge läuft unrund: bitte nicht benutzen.')
  const question = await dialog('Notiz löschen?')
  await userEvent.click(question.getByRole('button', { name: 'Löschen' }))
  return question
}

describe('the list', () => {
  it.each([
    [403, 'Das darfst du nicht.'],
    [404, 'Diese Firma gibt es nicht.'],
  ])('that is refused with %i says why, and loads on a press', async (status, sentence) => {
    let refuse = true
    server.use(http.get(LIST, () => (refuse ? refusal(status, sentence) : undefined)))
    open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Die Notizen konnten nicht geladen werden.')
    expect(alert.textContent).toContain(sentence)
    refuse = false
    await press('Erneut versuchen')
    expect(await screen.findByText('Schlüssel vom Lager liegt beim Pförtner.')).toBeTruthy()
  })

  it('offers the first note while it is empty', async () => {
    notes = []
    open()
    const sentence = await screen.findByText('Noch gibt es keine Notiz.')
    expect(within(sentence.parentElement as HTMLElement).getByRole('button')).toBeTruthy()
  })

  it('does not claim to be empty without a network', async () => {
    server.use(http.get(LIST, () => HttpResponse.error()))
    reportUnreachable()
    open()
    expect(await screen.findByText('Erst mit Verbindung wieder zu sehen.')).toBeTruthy()
    expect(screen.queryByText('Noch gibt es keine Notiz.')).toBeNull()
  })

  it('finds notes by their words', async () => {
    open()
    await userEvent.type(await screen.findByLabelText('Notiz suchen'), 'schlüssel')
    expect(screen.getByText('Schlüssel vom Lager liegt beim Pförtner.')).toBeTruthy()
    expect(screen.queryByText('Lieferung Eiche kommt erst Donnerstag.')).toBeNull()
    await userEvent.type(screen.getByLabelText('Notiz suchen'), 'x')
    expect(screen.getByText('Keine Notiz mit diesen Worten.')).toBeTruthy()
  })

  it('refetches when the service reports a change', async () => {
    open()
    await screen.findByText('Lieferung Eiche kommt erst Donnerstag.')
    notes = NOTES.slice(0, 2)
    await eventually(() => expect(events.open).toHaveLength(1))
    events.open[0]?.say({ type: 'notes_update' })
    await eventually(() => expect(screen.queryByText('Lieferung Eiche kommt erst Donnerstag.')).toBeNull())
  })
})

describe('a new note', () => {
  it('needs a text', async () => {
    open()
    const form = await addNote('')
    const field = form.getByLabelText<HTMLInputElement>('Notiz')
    await eventually(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(form.getByText('Bitte ausfüllen.')).toBeTruthy()
  })

  it('keeps its text when it is refused, with the reason at the field', async () => {
    const errors = [{ field: 'text', message: 'Höchstens 500 Zeichen.' }]
    server.use(http.post(LIST, () => refusal(422, 'Prüfe deine Angaben.', { errors })))
    open()
    const form = await addNote('Zu lang')
    expect(await form.findByText('Höchstens 500 Zeichen.')).toBeTruthy()
    expect(form.getByLabelText<HTMLInputElement>('Notiz').value).toBe('Zu lang')
  })

  it('has today as its day, and appears in the list', async () => {
    server.use(
      http.post(LIST, async ({ request }) => {
        const note = { ...((await request.json()) as NewNote), id: 'n-4', by: 'Mia Sommer' }
        notes = [note, ...NOTES]
        return HttpResponse.json(note, { status: 201 })
      }),
    )
    open()
    await addNote('Der Aufzug steht.')
    await success('Notiz angelegt.')
    expect(await screen.findByText('Der Aufzug steht.')).toBeTruthy()
    expect(notes[0]?.day).toBe(currentDay())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('removing a note', () => {
  it('says why it is refused, and the note stays', async () => {
    server.use(http.delete(NOTE, () => refusal(403, 'Das darfst du nicht.')))
    open()
    const question = await removeFirst()
    expect(await question.findByText('Die Notiz konnte nicht gelöscht werden.')).toBeTruthy()
    expect(question.getByText('Das darfst du nicht.')).toBeTruthy()
    expect(screen.getByText('Die Säge läuft unrund: bitte nicht benutzen.')).toBeTruthy()
  })

  it.each([
    ['takes it from the list', () => new HttpResponse(null, { status: 204 })],
    ['succeeds where a colleague was faster', () => refusal(404, 'Diese Notiz gibt es nicht.')],
  ])('%s', async (_, answer) => {
    const removed: unknown[] = []
    server.use(
      http.delete(NOTE, ({ params }) => {
        removed.push(params.id)
        notes = NOTES.slice(1)
        return answer()
      }),
    )
    open()
    await removeFirst()
    await success('Notiz gelöscht.')
    expect(removed).toEqual(['n-1'])
    expect(screen.queryByText('Die Säge läuft unrund: bitte nicht benutzen.')).toBeNull()
  })
})
