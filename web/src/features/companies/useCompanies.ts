/** The open companies, and what is done to them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useAct } from '../../api/useAct'
import { texts } from './texts'

export type Company = components['schemas']['CompanyRow']
export type Feature = components['schemas']['FeatureRow']

const COMPANIES = ['companies'] as const
const featuresKey = (companyId: string) => ['company-features', companyId] as const

export function useCompanies() {
  return useQuery({
    queryKey: COMPANIES,
    queryFn: async ({ signal }) => dataOf(await api.GET('/api/companies', { signal })),
  })
}

export type Companies = ReturnType<typeof useCompanies>

/** The modules that there are, and those of one company, by id. */
export function useFeatures(companyId: string) {
  const all = useQuery({
    queryKey: ['features'],
    queryFn: async ({ signal }) => dataOf(await api.GET('/api/features', { signal })),
  })
  const own = useQuery({
    queryKey: featuresKey(companyId),
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/api/companies/{id}/features', { params: { path: { id: companyId } }, signal })),
  })
  return {
    all: all.data ?? null,
    own: own.data ?? null,
    error: all.error ?? own.error,
    loading: all.isFetching || own.isFetching,
    reload: () => Promise.all([all.refetch(), own.refetch()]),
  }
}

export function useCreateCompany() {
  const queries = useQueryClient()
  return useAct(async (name: string) => {
    const company = dataOf(await api.POST('/api/companies', { body: { name } }))
    await queries.invalidateQueries({ queryKey: COMPANIES })
    return company
  }, texts.createFailed)
}

export function useSaveFeatures(companyId: string) {
  const queries = useQueryClient()
  return useAct(async (featureIds: string[]) => {
    const chosen = dataOf(
      await api.PUT('/api/companies/{id}/features', {
        params: { path: { id: companyId } },
        body: { featureIds },
      }),
    )
    queries.setQueryData(featuresKey(companyId), chosen)
    return chosen
  }, texts.saveFailed)
}

export function useDeleteCompany(companyId: string) {
  const queries = useQueryClient()
  return useAct(async () => {
    dataOf(await api.DELETE('/api/companies/{id}', { params: { path: { id: companyId } } }))
    await queries.invalidateQueries({ queryKey: COMPANIES })
    return true
  }, texts.deleteFailed)
}
