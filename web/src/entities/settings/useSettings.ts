/** A company's settings. */
import { useGet } from '../../patterns/useGet'

export const useSettings = (companyId: string) =>
  useGet('/api/companies/{id}/settings', { path: { id: companyId } })

/** The zone of its local times; null until known. */
export function useZone(companyId: string): string | null {
  return useSettings(companyId).data?.timeZone ?? null
}
