/** The people of a company, as whoever asks may see them: an administrator their tags and roles, anybody their names. */
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { User } from './people'

export const peopleKey = (companyId: string) => ['people', companyId] as const

export function usePeople(companyId: string | null) {
  return useQuery({
    queryKey: peopleKey(companyId ?? ''),
    queryFn: async ({ signal }): Promise<User[]> =>
      dataOf(
        await api.GET('/api/companies/{companyId}/users', {
          params: { path: { companyId: companyId ?? '' } },
          signal,
        }),
      ),
    enabled: companyId !== null,
  })
}
