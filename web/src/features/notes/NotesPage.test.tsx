import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage } from '../../../tests/page'
import { MIA, refusal, serve, server, url } from '../../../tests/server'
import { NotesPage } from './NotesPage'
import { NOTES } from './samples'
import type { Note } from './useNotes'

let notes: Note[] = []

serve()
beforeEach(() => {
  notes = [...NOTES]
  server.use(
    http.get(url('/api/companies/c-1/notes'), () => HttpResponse.json(notes)),
    http.delete(url('/api/companies/c-1/notes/:id'), ({ params }) => {
      notes = notes.filter(({ id }) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

const open = () => renderPage(<NotesPage session={{ ...MIA, role: 'companyAdmin' }} />)

describe('the notes', () => {
  it('are listed, and one that is removed goes', async () => {
    open()
    await screen.findByText(/Lieferung am Tor 2/, { selector: 'p' })
    await userEvent.click(screen.getByRole('button', { name: 'Löschen: Lieferung am Tor 2' }))
    await screen.findByText(/Inventur/, { selector: 'p' })
    expect(screen.queryByText(/Tor 2/, { selector: 'p' })).toBeNull()
  })

  it('that are refused say why', async () => {
    server.use(http.post(url('/api/companies/c-1/notes'), () => refusal(422, 'Bitte eine Notiz eingeben.')))
    open()
    await userEvent.type(screen.getByLabelText('Tag'), '2026-11-20')
    await userEvent.type(screen.getByLabelText('Notiz'), ' ')
    await userEvent.click(screen.getByRole('button', { name: 'Notiz speichern' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Bitte eine Notiz eingeben.')
  })
})
