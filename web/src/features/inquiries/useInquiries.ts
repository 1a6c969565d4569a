/** Visitors' inquiries, page by page, newest first; and deleting them. */
import { api, ignoreNotFound } from '../../api/client'
import { useChange } from '../../patterns/useChange'
import { keyOf, useGet } from '../../patterns/useGet'
import { usePages } from '../../patterns/usePages'
import { texts } from './texts'

const PATH = '/api/inquiries'

export const useInquiries = () => usePages(PATH, {})

/** Whether the public forms are delivered; undefined until known. */
export const useTaken = (): boolean | undefined => useGet('/api/site', {}).data?.inquiries

export function useRemoveInquiry(id: string) {
  return useChange(
    async () => ignoreNotFound(await api.DELETE('/api/inquiries/{id}', { params: { path: { id } } })),
    texts.removeFailed,
    [keyOf(PATH)],
  )
}
