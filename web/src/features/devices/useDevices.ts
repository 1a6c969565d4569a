/** A company's clocks, polled: their heartbeats are no events. */
import { useQuery } from '@tanstack/react-query'
import { reading } from '../../api/reading'
import type { components } from '../../api/schema'
import { keyOf } from '../../patterns/useGet'

export type Device = components['schemas']['ClockRow']

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
