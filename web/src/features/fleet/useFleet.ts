/** The registry's queries and mutations. Heartbeats are no events: queries that show them also poll. */

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, dataOf } from '../../api/client'
import { Refused } from '../../api/failures'
import type { components } from '../../api/schema'
import { CLOCKS } from '../../entities/clocks/clocks'
import { useChange } from '../../patterns/useChange'
import { useFollow } from '../../patterns/useFollow'
import { useGet } from '../../patterns/useGet'
import { usePages } from '../../patterns/usePages'
import { texts } from './texts'

export type Device = components['schemas']['DeviceRow']
export type Detail = components['schemas']['DeviceDetail']
export type Clock = components['schemas']['ClockRow']
export type Moment = components['schemas']['MomentRow']
export type Scanner = components['schemas']['ScannerRow']
export type Channel = 'stable' | 'beta'
export type Filter = 'unassigned' | 'all' | 'withdrawn'

const LIVE = ['fleet_update']
const EVERY_MS = 30_000
const A_PAGE = 30

/** Refetched at the registry's events, and every half minute. */
function useRenewed(path: string) {
  const queries = useQueryClient()
  useFollow(LIVE, { queryKey: [path] })
  useEffect(() => {
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: [path] }), EVERY_MS)
    return () => clearInterval(timer)
  }, [queries, path])
}

export function useRegistry(filter: Filter, words: string) {
  useRenewed('/api/devices')
  return usePages('/api/devices', {
    query: {
      limit: A_PAGE,
      unassigned: filter === 'unassigned',
      withdrawn: filter === 'withdrawn',
      ...(words === '' ? {} : { q: words }),
    },
  })
}

export function useDevice(id: string) {
  useRenewed('/api/devices/{id}')
  return useGet('/api/devices/{id}', { path: { id } })
}

export const useHistory = (id: string) => useGet('/api/devices/{id}/history', { path: { id }, query: {} })

export function useClocks() {
  useRenewed('/api/clocks')
  return useGet('/api/clocks', { query: {} })
}

export function useCompanyClocks(companyId: string) {
  useRenewed('/api/companies/{companyId}/clocks')
  return useGet('/api/companies/{companyId}/clocks', { path: { companyId }, query: {} })
}

export interface Assigning {
  companyId: string
  from?: string
}

const path = (id: string) => ({ params: { path: { id } } })

export const useAssign = (id: string) =>
  useChange(
    async (body: Assigning) =>
      dataOf(await api.POST('/api/devices/{id}/assign-company', { ...path(id), body })),
    texts.assignFailed,
    CLOCKS,
  )

/** The unassigned clock with that code on its display. */
export const useClaim = () =>
  useChange(
    async ({ code, ...body }: Assigning & { code: string }) => {
      const query = { unassigned: true, q: code, limit: 10 }
      const devices = dataOf(await api.GET('/api/devices', { params: { query } }))
      const device = devices.find(({ claimCode }) => claimCode === code)
      if (device === undefined)
        throw new Refused(422, { errors: [{ field: 'code', message: texts.codeUnknown }] })
      return dataOf(await api.POST('/api/devices/{id}/assign-company', { ...path(device.id), body }))
    },
    texts.assignFailed,
    CLOCKS,
  )

export const useUnassign = (id: string) =>
  useChange(
    async () => dataOf(await api.POST('/api/devices/{id}/unassign', path(id))),
    texts.unassignFailed,
    CLOCKS,
  )

export const useReplace = (id: string) =>
  useChange(
    async (deviceId: string) =>
      dataOf(await api.POST('/api/devices/{id}/replace', { ...path(id), body: { deviceId } })),
    texts.replaceFailed,
    CLOCKS,
  )

export const useRevoke = (id: string) =>
  useChange(
    async (reason: string) => {
      dataOf(await api.POST('/api/devices/{id}/revoke', { ...path(id), body: { reason } }))
      return true
    },
    texts.revokeFailed,
    CLOCKS,
  )

export const useResetKey = (id: string) =>
  useChange(
    async (reason: string) =>
      dataOf(await api.POST('/api/devices/{id}/reset-key', { ...path(id), body: { reason } })),
    texts.resetFailed,
    CLOCKS,
  )

export const useDecommission = (id: string) =>
  useChange(
    async () => {
      dataOf(await api.DELETE('/api/devices/{id}', path(id)))
      return true
    },
    texts.decommissionFailed,
    CLOCKS,
  )

export const useSetChannel = () =>
  useChange(
    async ({ id, channel }: { id: string; channel: Channel }) =>
      dataOf(await api.PUT('/api/clocks/{id}/channel', { ...path(id), body: { channel } })),
    texts.channelFailed,
    CLOCKS,
  )

export const useSetAllChannels = () =>
  useChange(
    async (channel: Channel) => dataOf(await api.PUT('/api/clocks/channel', { body: { channel } })),
    texts.bulkFailed,
    CLOCKS,
  )

export const useSetCompanyChannel = (companyId: string) =>
  useChange(
    async (channel: Channel) =>
      dataOf(await api.POST('/api/companies/{id}/update-channel', { ...path(companyId), body: { channel } })),
    texts.bulkFailed,
    CLOCKS,
  )

/** Normalises a code as people read it: O is 0, I and L are 1, blanks and hyphens are dropped. */
export const codeFrom = (text: string) =>
  text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
