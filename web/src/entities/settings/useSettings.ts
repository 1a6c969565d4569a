/** What a company has set. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'

export const settingsKey = (companyId: string) => ['settings', companyId] as const

export function useSettings(companyId: string) {
  return useQuery({
    queryKey: settingsKey(companyId),
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/api/companies/{id}/settings', { params: { path: { id: companyId } }, signal })),
  })
}

/** The zone in which its local times are meant; null until it is known. */
export function useZone(companyId: string): string | null {
  return useSettings(companyId).data?.timeZone ?? null
}
