/** The address at which one's own calendar finds the duties: whether there is one, a new one, none any more. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useAct } from '../../patterns/useAct'
import { texts } from './texts'

export type AddressState = components['schemas']['AddressState']

const keyOf = (userId: string) => ['calendar-address', userId] as const

export function useAddress(userId: string) {
  return useQuery({
    queryKey: keyOf(userId),
    queryFn: async ({ signal }): Promise<AddressState> =>
      dataOf(await api.GET('/api/calendar-address', { signal })),
  })
}

export function useCreateAddress(userId: string) {
  const know = useKnow(userId)
  return useAct(async () => {
    const { url } = dataOf(await api.POST('/api/calendar-address'))
    know({ active: true, createdAt: new Date().toISOString() })
    return url
  }, texts.createFailed)
}

export function useEndAddress(userId: string) {
  const know = useKnow(userId)
  return useAct(async () => {
    dataOf(await api.DELETE('/api/calendar-address'))
    know({ active: false, createdAt: null })
    return true
  }, texts.endFailed)
}

function useKnow(userId: string) {
  const queries = useQueryClient()
  return (state: AddressState) => queries.setQueryData(keyOf(userId), state)
}
