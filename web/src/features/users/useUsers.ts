/** The people of a company as an administrator sees them, and what is done to them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useAct } from '../../api/useAct'
import type { User } from './people'
import { texts } from './texts'

const usersKey = (companyId: string) => ['users', companyId] as const

export function useUsers(companyId: string | null) {
  return useQuery({
    queryKey: usersKey(companyId ?? ''),
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

/** Changes something, and then asks for the list again before it says that it is done. */
function useChange<Input, Output extends object | boolean | string>(
  companyId: string,
  change: (input: Input) => Promise<Output>,
  failed: string,
) {
  const queries = useQueryClient()
  return useAct(async (input: Input) => {
    const outcome = await change(input)
    await queries.invalidateQueries({ queryKey: usersKey(companyId) })
    return outcome
  }, failed)
}

const pathOf = (id: string) => ({ params: { path: { id } } })

export function useCreateUser(companyId: string) {
  return useChange(
    companyId,
    async (body: components['schemas']['NewUser']) => dataOf(await api.POST('/api/users', { body })),
    texts.createFailed,
  )
}

export function useChangeUser(companyId: string, userId: string) {
  return useChange(
    companyId,
    async (body: components['schemas']['UserChange']) =>
      dataOf(await api.PUT('/api/users/{id}', { ...pathOf(userId), body })),
    texts.saveFailed,
  )
}

export function useDeleteUser(companyId: string, userId: string) {
  return useChange(
    companyId,
    async () => {
      dataOf(await api.DELETE('/api/users/{id}', pathOf(userId)))
      return true
    },
    texts.removeFailed,
  )
}

export function useReset(companyId: string, userId: string) {
  return useChange(
    companyId,
    async () => dataOf(await api.PUT('/api/users/{id}/password-reset', pathOf(userId))),
    texts.resetFailed,
  )
}

export function useLock(companyId: string, userId: string) {
  return useChange(
    companyId,
    async () => dataOf(await api.PUT('/api/users/{id}/lock', pathOf(userId))),
    texts.lockFailed,
  )
}

export function useDropFactor(companyId: string, userId: string) {
  return useChange(
    companyId,
    async () => {
      dataOf(await api.DELETE('/api/users/{id}/second-factor', pathOf(userId)))
      return true
    },
    texts.resetFailed,
  )
}

export function useResetAll(companyId: string) {
  return useChange(
    companyId,
    async () => dataOf(await api.PUT('/api/companies/{id}/password-reset-all', pathOf(companyId))),
    texts.allFailed,
  )
}
