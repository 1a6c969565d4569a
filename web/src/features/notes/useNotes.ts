/** A company's notes, and what is done to them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, goneWith } from '../../api/client'
import type { components } from '../../api/schema'
import { useAct } from '../../api/useAct'
import { texts } from './texts'

export type Note = components['schemas']['NoteRow']

export function useNotes(companyId: string) {
  return useQuery({
    queryKey: ['notes', companyId],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/api/companies/{id}/notes', { params: { path: { id: companyId } }, signal })),
  })
}

function useFreshList(companyId: string) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['notes', companyId] })
}

export function useWriteNote(companyId: string) {
  const freshList = useFreshList(companyId)
  const call = { params: { path: { id: companyId } } }
  return useAct(
    async (body: components['schemas']['NewNote']) =>
      dataOf(await api.POST('/api/companies/{id}/notes', { ...call, body }).finally(freshList)),
    texts.writeFailed,
  )
}

export function useRemoveNote(companyId: string) {
  const freshList = useFreshList(companyId)
  return useAct(async (noteId: string) => {
    const call = { params: { path: { id: companyId, noteId } } }
    return goneWith(await api.DELETE('/api/companies/{id}/notes/{noteId}', call).finally(freshList))
  }, texts.removeFailed)
}
