/** All modules, and those of a company, as the service names them. */
import type { components } from '../../api/schema'
import { keyOf, useGet } from '../../patterns/useGet'

export type Module = components['schemas']['FeatureRow']

const OF_COMPANY = '/api/companies/{id}/features'
const asking = (companyId: string) => ({ path: { id: companyId } })

export const modulesKey = (companyId: string) => keyOf(OF_COMPANY, asking(companyId))

export const useAllModules = () => useGet('/api/features', {})

export const useModules = (companyId: string) => useGet(OF_COMPANY, asking(companyId))
