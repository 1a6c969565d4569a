/** The company's hours, targets, settings and free days: today's values, and changes from a day on. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { usePeople } from '../../entities/people/usePeople'
import { useDated } from '../../patterns/dated/useDated'
import type { QueryState } from '../../patterns/QueryView'
import { keyOf, useGet } from '../../patterns/useGet'
import { texts } from './texts'

type Schemas = components['schemas']
export type Hours = Schemas['HoursRow']
export type Settings = Schemas['SettingsRow']
export type FreeDay = Schemas['FreeDayRow']
export type Target = Pick<Schemas['TargetRow'], 'userId' | 'username' | 'weeklyTargetMinutes'>

const HOURS = '/api/companies/{companyId}/working-hours-config'
const TARGETS = '/api/companies/{companyId}/employee-weekly-targets'
const SETTINGS = '/api/companies/{id}/settings'
const FREE = '/api/companies/{companyId}/free-days'

const company = (companyId: string) => ({ path: { companyId } })
const paramsOf = (id: string) => ({ path: { id } })

export const useHours = (companyId: string) => useGet(HOURS, company(companyId))

/** If they fail to load, lists all employees without targets, so that targets can be entered. */
export function useTargets(companyId: string): QueryState<Target[]> {
  const targets = useGet(TARGETS, company(companyId))
  const failed = targets.error !== null && targets.data === undefined
  const people = usePeople(failed ? companyId : null)
  if (!failed) return targets
  const data = people.data
    ?.filter(({ role }) => role !== 'admin')
    .map(({ id, username }) => ({ userId: id, username, weeklyTargetMinutes: null }))
  return { ...people, data }
}

export const useFreeDays = (companyId: string, year: number) =>
  useGet(FREE, { ...company(companyId), query: { year } })

/** Returns a function that refetches hours and targets. */
export function useInvalidateHours(companyId: string) {
  const queries = useQueryClient()
  const keys = [keyOf(HOURS, company(companyId)), keyOf(TARGETS, company(companyId))]
  return () => Promise.all(keys.map(queryKey => queries.invalidateQueries({ queryKey })))
}

/** `reads`: the queries to refetch afterwards; empty if the caller refetches. */
export const useSaveHours = (companyId: string, reads = [keyOf(HOURS, company(companyId))]) =>
  useDated(
    async (body: Partial<Schemas['HoursChange']>, dryRun) =>
      dataOf(
        await api.PUT(HOURS, {
          params: { ...company(companyId), query: { dryRun } },
          body: body as Schemas['HoursChange'],
        }),
      ),
    texts.saveFailed,
    reads,
  )

/** Refetches nothing. */
export const useSaveTargets = (companyId: string) =>
  useDated(
    async (body: Schemas['TargetsChange'], dryRun) =>
      dataOf(await api.PUT(TARGETS, { params: { ...company(companyId), query: { dryRun } }, body })),
    texts.saveFailed,
    [],
  )

export const useSaveSettings = (companyId: string) =>
  useDated(
    async (body: Partial<Schemas['SettingsChange']>, dryRun) =>
      dataOf(
        await api.PUT(SETTINGS, {
          params: { ...paramsOf(companyId), query: { dryRun } },
          body: body as Schemas['SettingsChange'],
        }),
      ),
    texts.saveFailed,
    [keyOf(SETTINGS, paramsOf(companyId))],
  )

export const useSaveFreeDays = (companyId: string) =>
  useDated(
    async (body: Schemas['FreeDaysChange'] & { validFrom?: never }, dryRun) =>
      dataOf(await api.PUT(FREE, { params: { ...company(companyId), query: { dryRun } }, body })),
    texts.saveFailed,
    [keyOf(FREE, company(companyId))],
  )
