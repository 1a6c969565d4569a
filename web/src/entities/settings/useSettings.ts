/** What a company has set. */
import { useGet } from '../../patterns/useGet'

export const useSettings = (companyId: string) =>
  useGet('/api/companies/{id}/settings', { path: { id: companyId } })

/** The zone in which its local times are meant; null until it is known. */
export function useZone(companyId: string): string | null {
  return useSettings(companyId).data?.timeZone ?? null
}
