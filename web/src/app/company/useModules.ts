/** The modules that a system administrator has enabled for the company, as the service names them. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'

export function useModules(companyId: string) {
  return useQuery({
    queryKey: ['modules', companyId],
    queryFn: async ({ signal }) =>
      dataOf(await api.GET('/api/companies/{id}/features', { params: { path: { id: companyId } }, signal })),
  })
}
