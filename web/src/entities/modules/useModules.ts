/** The modules that there are, and those that a company has, as the service names them. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'

export type Module = components['schemas']['FeatureRow']

export const modulesKey = (companyId: string) => ['modules', companyId] as const

export function useAllModules() {
  return useQuery({
    queryKey: ['modules'],
    queryFn: async ({ signal }) => dataOf(await api.GET('/api/features', { signal })),
  })
}

export function useModules(companyId: string) {
  return useQuery({
    queryKey: modulesKey(companyId),
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/api/companies/{id}/features', { params: { path: { id: companyId } }, signal })),
  })
}
