/** The name of the company that somebody is logged in for, known offline as well; null until it is. */
import { reading } from '../../api/reading'
import { useSession } from '../../api/session'
import { useStored } from '../../patterns/useStored'

export function useOwnCompany(): string | null {
  const session = useSession()
  const userId = session?.userId ?? ''
  const companyId = session?.companyId ?? ''
  const company = useStored({
    userId,
    key: ['company', userId, companyId],
    ask: reading('/api/companies/{id}', { path: { id: companyId } }),
    enabled: session !== null,
  })
  return company.data?.name ?? null
}
