/** A company's rates, and its monthly costs. */
import { useMemo } from 'react'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useDated } from '../../patterns/dated/useDated'
import { keyOf, useGet } from '../../patterns/useGet'
import { texts } from './texts'

type Schemas = components['schemas']
export type Config = Schemas['ConfigRow']
export type Mode = Config['mode']
export type MonthCosts = Schemas['CostsMonth']
export type Item = Schemas['CostRow']
export type YearMonth = Schemas['YearMonthRow']

const CONFIG = '/api/companies/{companyId}/compensation-config'
const COSTS = '/api/companies/{companyId}/compensation-costs'
const company = (companyId: string) => ({ path: { companyId } })

export const useConfig = (companyId: string) => useGet(CONFIG, company(companyId))

/** The costs of a month. The same path returns a year for `year` (`useYear`), so the type is asserted. */
export function useMonth(companyId: string, month: string) {
  const query = useGet(COSTS, { ...company(companyId), query: { month } })
  return { ...query, data: query.data as MonthCosts | undefined }
}

export function useYear(companyId: string, year: number) {
  const query = useGet(COSTS, { ...company(companyId), query: { year: `${year}` } })
  return { ...query, data: query.data as YearMonth[] | undefined }
}

/** Errors of a map's member are shown for the whole map. */
export function useSave(companyId: string) {
  const { acting, question } = useDated(
    async (body: Partial<Schemas['ConfigChange']>, dryRun) =>
      dataOf(
        await api.PUT(CONFIG, {
          params: { ...company(companyId), query: { dryRun } },
          body: body as Schemas['ConfigChange'],
        }),
      ) as object,
    texts.saveFailed,
    [keyOf(CONFIG, company(companyId)), keyOf(COSTS)],
  )
  const fields = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(acting.fields).map(([field, sentence]) => [field.split('.')[0] ?? field, sentence]),
      ),
    [acting.fields],
  )
  return { acting: { ...acting, fields }, question }
}
