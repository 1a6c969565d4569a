/** The name of the company that somebody is logged in for, known offline as well; null until it is. */
import { api, dataOf } from '../../api/client'
import { useSession } from '../../api/session'
import { useStored } from '../../patterns/useStored'

export function useOwnCompany(): string | null {
  const session = useSession()
  const userId = session?.userId ?? ''
  const companyId = session?.companyId ?? ''
  const company = useStored({
    userId,
    key: ['company', userId, companyId],
    ask: async signal =>
      dataOf(await api.GET('/api/companies/{id}', { params: { path: { id: companyId } }, signal })),
    enabled: session !== null,
  })
  return company.data?.name ?? null
}
