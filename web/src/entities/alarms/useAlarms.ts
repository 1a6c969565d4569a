/** The alarms of a company's clocks; for system administrators those of all companies. */
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useChange } from '../../patterns/useChange'
import { useFollow } from '../../patterns/useFollow'
import { keyOf, useGet } from '../../patterns/useGet'
import { usePages } from '../../patterns/usePages'
import { texts } from './texts'

type Schemas = components['schemas']
export type Alarm = Schemas['AlarmRow']
export type Settings = Schemas['AlarmSettingsBody']
export type Kind = Settings['kinds'][number]
export type ServiceKind = Exclude<Alarm['kind'], Kind>

/** Kinds that only the operator can resolve, so companies do not get them. */
export const OPERATOR_KINDS: readonly Kind[] = ['conflict', 'update', 'version', 'withdrawn', 'cert']

const PATH = '/api/alarms'
const SETTINGS = '/api/alarm-settings'
const A_PAGE = 100

export function useAlarms(open: boolean) {
  useFollow(['alarms_update'], { queryKey: keyOf(PATH) })
  return usePages(PATH, { query: { open, limit: A_PAGE } })
}

export const useAcknowledge = () =>
  useChange(
    async (id: string) =>
      dataOf(await api.POST('/api/alarms/{id}/acknowledge', { params: { path: { id } } })),
    texts.acknowledgeFailed,
    [keyOf(PATH), ['/api/devices/{id}']],
  )

export const useAlarmSettings = () => useGet(SETTINGS, {})

export const useSaveSettings = () =>
  useChange(async (body: Settings) => dataOf(await api.PUT(SETTINGS, { body })), texts.saveFailed, [
    keyOf(SETTINGS),
  ])
