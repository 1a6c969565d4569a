/** A company's notes: read, added and removed. */
import { api, dataOf, ignoreNotFound } from '../../api/client'
import { useChange } from '../../patterns/useChange'
import { keyOf, useGet } from '../../patterns/useGet'
import type { NewNote } from './schema'
import { texts } from './texts'

const NOTES = '/api/companies/{id}/notes'
const READS = [keyOf(NOTES)]

export const useNotes = (companyId: string) =>
  useGet(NOTES, { path: { id: companyId } }, { live: ['notes_update'] })

export const useAddNote = (companyId: string) =>
  useChange(
    async (body: NewNote) => dataOf(await api.POST(NOTES, { params: { path: { id: companyId } }, body })),
    texts.addFailed,
    READS,
  )

export const useRemoveNote = (id: string) =>
  useChange(
    async () => ignoreNotFound(await api.DELETE('/api/notes/{id}', { params: { path: { id } } })),
    texts.removeFailed,
    READS,
  )
