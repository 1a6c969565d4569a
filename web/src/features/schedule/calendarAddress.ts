/** The calendar subscription's address: whether it exists, renewing it, ending it. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useAct } from '../../patterns/useAct'
import { keyOf, useGet } from '../../patterns/useGet'
import { now } from '../../ui/now'
import { texts } from './texts'

export type AddressState = components['schemas']['AddressState']

const PATH = '/api/calendar-address'

export const useAddress = () => useGet(PATH, {})

export function useCreateAddress() {
  const know = useKnow()
  return useAct(async () => {
    const { url } = dataOf(await api.POST('/api/calendar-address'))
    know({ active: true, createdAt: now().toISOString() })
    return url
  }, texts.createFailed)
}

export function useEndAddress() {
  const know = useKnow()
  return useAct(async () => {
    dataOf(await api.DELETE('/api/calendar-address'))
    know({ active: false, createdAt: null })
    return true
  }, texts.endFailed)
}

function useKnow() {
  const queries = useQueryClient()
  return (state: AddressState) => queries.setQueryData(keyOf(PATH), state)
}
