/** The user's company, known offline as well: its name and time zone. */
import { reading } from '../../api/reading'
import { useSession } from '../../api/session'
import { useStored } from '../../patterns/useStored'
import { HOME_ZONE, setHome } from '../../ui/days'

/** Null until it is known. */
export const useOwnCompany = (): string | null => useOwn()?.name ?? null

/** The zone of all local times below: its change re-renders everything. */
export function useOwnZone(): string {
  const zone = useOwn()?.timeZone ?? HOME_ZONE
  setHome(zone)
  return zone
}

function useOwn() {
  const session = useSession()
  const userId = session?.userId ?? ''
  const companyId = session?.companyId ?? ''
  const company = useStored({
    userId,
    key: ['company', userId, companyId],
    ask: reading('/api/companies/{id}', { path: { id: companyId } }),
    enabled: session !== null,
  })
  return company.data
}
