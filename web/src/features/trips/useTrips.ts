/** What the pages read and do. What is decided is sent with `keepalive`: leaving the page sends what still waits. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { succeed } from '../../patterns/succeed'
import { useAct } from '../../patterns/useAct'
import { keyOf, useGet } from '../../patterns/useGet'
import { texts } from './texts'

export type Trip = components['schemas']['TripRow']
type NewTrip = components['schemas']['NewTrip']

const TRIPS = '/api/companies/{id}/trips'

export const useTrips = (id: string, month: string) =>
  useGet(TRIPS, { path: { id }, query: { month } }, { live: ['plan_update'], whole: true })

export const useAskForTrip = () =>
  useAct(async (body: NewTrip) => dataOf(await api.POST('/api/trips', { body })), texts.askFailed)

export function useDecide(status: 'approved' | 'declined') {
  const queries = useQueryClient()
  return async ({ id }: Trip, comment: string) => {
    const body = { status, comment: comment || null }
    dataOf(await api.POST('/api/trips/{id}/decide', { params: { path: { id } }, body, keepalive: true }))
    succeed(texts[status])
    await queries.invalidateQueries({ queryKey: keyOf(TRIPS) })
  }
}
