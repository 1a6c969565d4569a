/** A system administrator's actions on a company. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import { COMPANIES } from '../../entities/companies/useCompanies'
import { modulesKey, useAllModules, useModules } from '../../entities/modules/useModules'
import { useAct } from '../../patterns/useAct'
import { useChange } from '../../patterns/useChange'
import { keyOf } from '../../patterns/useGet'
import { texts } from './texts'

/** All modules, and those of one company, as a single query. */
export function useModuleChoice(companyId: string) {
  const all = useAllModules()
  const ownModules = useModules(companyId)
  return {
    data: all.data && ownModules.data && { all: all.data, own: new Set(ownModules.data.map(({ id }) => id)) },
    error: all.error ?? ownModules.error,
    isFetching: all.isFetching || ownModules.isFetching,
    refetch: () => Promise.all([all.refetch(), ownModules.refetch()]),
  }
}

export function useCreateCompany() {
  return useChange(
    async (name: string) => dataOf(await api.POST('/api/companies', { body: { name } })),
    texts.createFailed,
    [COMPANIES],
  )
}

export function useSaveModules(companyId: string) {
  const queries = useQueryClient()
  return useAct(async (featureIds: string[]) => {
    const chosenModules = dataOf(
      await api.PUT('/api/companies/{id}/features', {
        params: { path: { id: companyId } },
        body: { featureIds },
      }),
    )
    queries.setQueryData(modulesKey(companyId), chosenModules)
    return chosenModules
  }, texts.saveFailed)
}

export function useDeleteCompany(companyId: string) {
  return useChange(
    async () => {
      dataOf(await api.DELETE('/api/companies/{id}', { params: { path: { id: companyId } } }))
      return true
    },
    texts.deleteFailed,
    [COMPANIES, keyOf('/api/closed-companies')],
  )
}
