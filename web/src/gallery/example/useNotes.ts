/** The data and actions of the example page. A real one calls the service (`api.GET(…)`); this one has its own list. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAct } from '../../patterns/useAct'
import { texts } from './texts'

export interface Note {
  id: string
  day: string
  text: string
  by: string
}

const KEY = ['notes'] as const

let notes: readonly Note[] = [
  { id: 'n-1', day: '2026-11-20', text: 'Die Säge läuft unrund: bitte nicht benutzen.', by: 'Jan Petersen' },
  { id: 'n-2', day: '2026-11-19', text: 'Schlüssel vom Lager liegt beim Pförtner.', by: 'Ingrid Holm' },
  { id: 'n-3', day: '2026-11-17', text: 'Lieferung Eiche kommt erst Donnerstag.', by: 'Mehmet Aydin' },
]

export function useNotes() {
  return useQuery({ queryKey: KEY, queryFn: async () => notes, initialData: notes })
}

export function useAddNote() {
  const queries = useQueryClient()
  return useAct(async ({ text, day }: Pick<Note, 'text' | 'day'>) => {
    const note = { id: `n-${notes.length + 1}`, text, day, by: 'Ingrid Holm' }
    notes = [note, ...notes]
    await queries.invalidateQueries({ queryKey: KEY })
    return note
  }, texts.addFailed)
}

export function useRemoveNote(id: string) {
  const queries = useQueryClient()
  return useAct(async () => {
    notes = notes.filter(note => note.id !== id)
    await queries.invalidateQueries({ queryKey: KEY })
    return true
  }, texts.removeFailed)
}
