/** The zone in which a company's local times are meant; null until it is known. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'

export function useZone(companyId: string): string | null {
  const settings = useQuery({
    queryKey: ['company-settings', companyId],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/api/companies/{id}/settings', { params: { path: { id: companyId } }, signal })),
  })
  return settings.data?.timeZone ?? null
}
