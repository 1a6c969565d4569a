/** An administrator's actions on a company's people. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf, ignoreNotFound, LONG_PATIENCE_MS, within } from '../../api/client'
import type { components } from '../../api/schema'
import { peopleKey } from '../../entities/people/usePeople'
import { useAct } from '../../patterns/useAct'
import { useChange } from '../../patterns/useChange'
import { copy } from '../../ui/Copyable'
import { texts } from './texts'

/** Generates passwords, which are never shown again: they are shown at once, without waiting for the list's refetch. */
function usePasswords<Output extends object>(companyId: string, make: () => Promise<Output>, failed: string) {
  const queries = useQueryClient()
  const freshList = () => queries.invalidateQueries({ queryKey: peopleKey(companyId) })
  return useAct(() => make().finally(() => void freshList()), failed)
}

const pathOf = (id: string) => ({ params: { path: { id } } })

export function useCreateUser(companyId: string, failed: string = texts.createFailed) {
  return useChange(
    async (body: components['schemas']['NewUser']) => dataOf(await api.POST('/api/users', { body })),
    failed,
    [peopleKey(companyId)],
  )
}

export function useChangeUser(companyId: string, userId: string, failed: string = texts.saveFailed) {
  return useChange(
    async (body: components['schemas']['UserChange']) =>
      dataOf(await api.PUT('/api/users/{id}', { ...pathOf(userId), body })),
    failed,
    [peopleKey(companyId)],
  )
}

export function useDeleteUser(companyId: string, userId: string, failed: string = texts.removeFailed) {
  return useChange(async () => ignoreNotFound(await api.DELETE('/api/users/{id}', pathOf(userId))), failed, [
    peopleKey(companyId),
  ])
}

export function useReset(companyId: string, userId: string) {
  return usePasswords(
    companyId,
    async () => dataOf(await api.PUT('/api/users/{id}/password-reset', pathOf(userId))),
    texts.resetFailed,
  )
}

/** A lock's token, and whether it was copied to the clipboard. */
export interface Lock {
  token: string
  copied: boolean
}

export function useLock(companyId: string, userId: string) {
  return useChange(
    async (): Promise<Lock> => {
      const { token } = dataOf(await api.PUT('/api/users/{id}/lock', pathOf(userId)))
      return { token, copied: await copy(token) }
    },
    texts.lockFailed,
    [peopleKey(companyId)],
  )
}

export function useDropFactor(companyId: string, userId: string) {
  return useChange(
    async () => {
      dataOf(await api.DELETE('/api/users/{id}/second-factor', pathOf(userId)))
      return true
    },
    texts.resetFailed,
    [peopleKey(companyId)],
  )
}

export function useResetAll(companyId: string) {
  const call = { ...pathOf(companyId), fetch: within(LONG_PATIENCE_MS) }
  return usePasswords(
    companyId,
    async () => dataOf(await api.PUT('/api/companies/{id}/password-reset-all', call)),
    texts.allFailed,
  )
}
