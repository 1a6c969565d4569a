/** The clocks of a company, asked for again and again: their heartbeats are no events. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import { reading } from '../../api/reading'
import type { components } from '../../api/schema'
import { useChange } from '../../patterns/useChange'
import { keyOf } from '../../patterns/useGet'
import { texts } from './texts'

export type Device = components['schemas']['ClockRow']
export type Words = Pick<Device, 'name' | 'notes'>

const PATH = '/api/companies/{companyId}/clocks'
const EVERY_MS = 15_000

export function useDevices(companyId: string) {
  const params = { path: { companyId } }
  return useQuery({
    queryKey: keyOf(PATH, params),
    queryFn: ({ signal }) => reading(PATH, params)(signal),
    refetchInterval: EVERY_MS,
  })
}

export const useRename = (id: string) =>
  useChange(
    async (body: Words) => dataOf(await api.PUT('/api/devices/{id}', { params: { path: { id } }, body })),
    texts.saveFailed,
    [keyOf(PATH)],
  )
