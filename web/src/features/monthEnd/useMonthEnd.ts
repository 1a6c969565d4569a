/** A company's month for payroll: its findings, its lock, its files, later changes, and its mail. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { api, dataOf } from '../../api/client'
import { Refused } from '../../api/failures'
import type { components } from '../../api/schema'
import { useChange } from '../../patterns/useChange'
import { useGet } from '../../patterns/useGet'
import { dayOf, timeOf } from '../../ui/days'
import { numericDay } from '../../ui/dayText'
import { addMonths, currentMonth, isMonth } from '../../ui/months'
import { texts } from './texts'

type Schemas = components['schemas']
export type Finding = Schemas['FindingRow']
export type Numbered = Schemas['NumberRow']
export type Mapping = Schemas['Mapping']
export type MappingChange = Schemas['MappingChange']
export type Kept = Schemas['ExportRow']
export type Difference = Schemas['DifferenceRow']
export type Job = Schemas['JobRow']
export type Settings = Schemas['ExportSettingsBody']
export type Mail = Schemas['ExportMailRow']

const COMPANY = '/api/companies/{id}'
const CHECK = `${COMPANY}/export-check` as const
const LOCK = `${COMPANY}/months/{month}/lock` as const
const NUMBERS = '/api/companies/{companyId}/personnel-numbers'
const MAPPING = `${COMPANY}/payroll-mapping` as const
const EXPORTS = `${COMPANY}/exports` as const
const DIFFERENCE = `${COMPANY}/exports/{exportId}/difference` as const
const SETTINGS = `${COMPANY}/export-settings` as const
const MAILS = `${COMPANY}/export-mails` as const

/** Events that may change a month. */
const LIVE = ['times_update', 'plan_update']
/** Events that may change a mail's state, or decline it. */
const MAILS_LIVE = ['export_mails_update']
/** Files for DATEV. */
export const PROGRAMS = ['lodas', 'lug'] as const
export type Program = (typeof PROGRAMS)[number]
const of = (id: string) => ({ path: { id } })

/** "02.11.2026, 08:15": with the year, since months are kept for years. */
export function momentIn(instant: string): string {
  const moment = new Date(instant)
  return `${numericDay(dayOf(moment))}, ${timeOf(moment)}`
}

/** The month in the address; by default the previous one, which is the next to close. */
export function useMonth(): [month: string, show: (month: string) => void] {
  const [search, setSearch] = useSearchParams()
  const wantedMonth = search.get('monat')
  const show = useCallback(
    (month: string) =>
      setSearch(previous => new URLSearchParams([...previous, ['monat', month]].filter(once))),
    [setSearch],
  )
  return [isMonth(wantedMonth) ? wantedMonth : addMonths(currentMonth(), -1), show]
}

/** Keeps the last month and drops the parameter of a mail's link. */
const once = ([name]: string[], place: number, all: string[][]) =>
  name !== 'mail' && (name !== 'monat' || place === all.length - 1)

export const useCheck = (companyId: string, month: string, format: Program | null = 'lodas') =>
  useGet(CHECK, format && { ...of(companyId), query: { month, format } }, { live: LIVE })

/**
 * The refused DATEV files, by LODAS's findings; undefined until known. An absence key can suffice for Lohn und Gehalt
 * where LODAS needs a wage type, so only then the other check is queried, too.
 */
export function useBlocked(companyId: string, month: string, lodas: readonly Finding[] | undefined) {
  const blocking = lodas?.filter(({ blocks }) => blocks) ?? []
  const mayDiffer = blocking.length > 0 && blocking.every(({ code }) => code === 'unmapped')
  const lug = useCheck(companyId, month, mayDiffer ? 'lug' : null)
  if (lodas === undefined || (mayDiffer && lug.data === undefined && !lug.isError)) return undefined
  if (blocking.length === 0) return []
  const isFree = mayDiffer && lug.data?.every(({ blocks }) => !blocks) === true
  return PROGRAMS.filter(program => program === 'lodas' || !isFree)
}

export const useLock = (id: string, month: string) => useGet(LOCK, { path: { id, month } })

export const useLocking = (id: string, month: string) =>
  useChange(
    async () => dataOf(await api.PUT(LOCK, { params: { path: { id, month } } })),
    texts.lockingFailed,
    [[LOCK], [CHECK], [EXPORTS]],
  )

export const useNumbersNow = (companyId: string) => useGet(NUMBERS, { path: { companyId } })

/** Saves personnel numbers, all together or not at all. */
export const useNumbers = (companyId: string) =>
  useChange(
    async (items: Schemas['NumbersChange']['items']) =>
      dataOf(await api.PUT(NUMBERS, { params: { path: { companyId } }, body: { items } })),
    texts.saveFailed,
    [[CHECK], [NUMBERS], ['/api/users/{userId}/employment']],
  )

export const useMapping = (companyId: string, wanted: boolean) =>
  useGet(MAPPING, wanted ? of(companyId) : null)

export const useSaveMapping = (companyId: string) =>
  useChange(
    async (body: MappingChange) => dataOf(await api.PUT(MAPPING, { params: of(companyId), body })),
    texts.saveFailed,
    [[MAPPING], [CHECK]],
  )

export const useKept = (companyId: string) => useGet(EXPORTS, of(companyId), { live: LIVE })

/** Returns a callback for the end of an export: it refetches the list of exports and the differences from them. */
export function useMade() {
  const queries = useQueryClient()
  return () => {
    for (const path of [EXPORTS, DIFFERENCE]) void queries.invalidateQueries({ queryKey: [path] })
  }
}

export const useDifference = (id: string, exportId: string) =>
  useGet(DIFFERENCE, { path: { id, exportId } }, { live: LIVE })

export const useSettings = (companyId: string) => useGet(SETTINGS, of(companyId), { live: MAILS_LIVE })

export const useSaveSettings = (companyId: string) =>
  useChange(
    async (body: Schemas['ExportSettingsChange']) => {
      try {
        return dataOf(await api.PUT(SETTINGS, { params: of(companyId), body }))
      } catch (error) {
        throw error instanceof Refused ? atTheirField(error, body.recipients) : error
      }
    },
    texts.saveFailed,
    [[SETTINGS]],
  )

/** Errors of single recipients, or of the whole list, appear at the input. */
function atTheirField(refused: Refused, recipients: Schemas['ExportSettingsChange']['recipients']) {
  const errors = Object.entries(refused.fields).map(([field, message]) => {
    const [whole, place] = /^recipients(?:\.(\d+).*)?$/.exec(field) ?? []
    if (whole === undefined) return { field, message }
    const address = place && recipients[Number(place)]?.email
    return { field: 'recipient', message: address ? texts.ofRecipient(address, message) : message }
  })
  return new Refused(refused.status, { ...refused.body, errors })
}

export const useMails = (companyId: string) => useGet(MAILS, of(companyId), { live: MAILS_LIVE })

export const useSendNow = (companyId: string) =>
  useChange(
    async (month: string) =>
      dataOf(await api.POST(`${COMPANY}/export-send-now`, { params: of(companyId), body: { month } })),
    texts.sendFailed(''),
    [[MAILS]],
  )

const basePath = (companyId: string) => `/api/companies/${companyId}`
export const paths = {
  month: (companyId: string, month: string, format: string) =>
    `${basePath(companyId)}/export?month=${month}&format=${format}`,
  kept: (companyId: string, id: string) => `${basePath(companyId)}/exports/${id}/file`,
  difference: (companyId: string, id: string) => `${basePath(companyId)}/exports/${id}/difference?format=csv`,
  inspection: (companyId: string, from: string, to: string, format: string) =>
    `${basePath(companyId)}/inspection?from=${from}&to=${to}&format=${format}`,
  mailed: (companyId: string, id: string) => `${basePath(companyId)}/export-mails/${id}/file`,
}

export const beginJob = async (companyId: string, month: string, format: string): Promise<Job> =>
  dataOf(await api.POST(EXPORTS, { params: of(companyId), body: { month, format: format as 'xlsx' } }))

export const jobOf = async (id: string, exportId: string, signal: AbortSignal): Promise<Job> =>
  dataOf(await api.GET(`${COMPANY}/exports/{exportId}`, { params: { path: { id, exportId } }, signal }))
