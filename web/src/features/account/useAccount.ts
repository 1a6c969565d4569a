/** What a user sees and changes of the own account: second factor, sessions, password. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, goneWith } from '../../api/client'
import { Refused } from '../../api/failures'
import type { components } from '../../api/schema'
import { begin, complete, currentSession, end } from '../../api/session'
import { useAct } from '../../patterns/useAct'
import { texts } from './texts'

export type SessionRow = components['schemas']['SessionRow']
export type Setup = components['schemas']['AuthenticatorSetup']
type Status = components['schemas']['AuthenticatorStatus']

const statusKey = (userId: string) => ['second-factor', userId] as const
const sessionsKey = (userId: string) => ['sessions', userId] as const

export function useSecondFactor(userId: string) {
  return useQuery({
    queryKey: statusKey(userId),
    queryFn: async ({ signal }) => dataOf(await api.GET('/api/auth/2fa/status', { signal })),
  })
}

export function useSessions(userId: string) {
  return useQuery({
    queryKey: sessionsKey(userId),
    queryFn: async ({ signal }) => dataOf(await api.GET('/api/auth/sessions', { signal })),
  })
}

/** What the service says where it wants to know first that the owner of the session is there. */
export const PASSWORD_NEEDED = 'password_needed'

/** Answers what the app is to read, or that the password is needed for it. */
export function useStartSetup() {
  return useAct(async (password: string | undefined): Promise<Setup | typeof PASSWORD_NEEDED> => {
    const body = password === undefined ? {} : { password }
    const answer = await api.POST('/api/auth/2fa/setup/start', { body })
    try {
      return dataOf(answer)
    } catch (error) {
      if (error instanceof Refused && error.code === PASSWORD_NEEDED) return PASSWORD_NEEDED
      throw error
    }
  }, texts.setupFailed)
}

/** Notes what the service has just done, and asks how it stands now; nobody has to wait for that. */
function useStatusNow(userId: string) {
  const queries = useQueryClient()
  return (enabled: boolean, recoveryCodesLeft: number) => {
    const queryKey = statusKey(userId)
    queries.setQueryData<Status>(queryKey, known => known && { ...known, enabled, recoveryCodesLeft })
    void queries.invalidateQueries({ queryKey })
  }
}

/** Answers the recovery codes, which nobody will say again. The other sessions have ended. */
export function useActivate(userId: string) {
  const queries = useQueryClient()
  const statusIsNow = useStatusNow(userId)
  return useAct(async (code: string) => {
    const { recoveryCodes } = dataOf(await api.POST('/api/auth/2fa/setup/verify', { body: { code } }))
    statusIsNow(true, recoveryCodes.length)
    void queries.invalidateQueries({ queryKey: sessionsKey(userId) })
    return recoveryCodes
  }, texts.codeWrong)
}

export function useDisable(userId: string) {
  const statusIsNow = useStatusNow(userId)
  return useAct(async (code: string) => {
    dataOf(await api.POST('/api/auth/2fa/disable', { body: { code } }))
    statusIsNow(false, 0)
    return true
  }, texts.disableFailed)
}

interface Passwords {
  currentPassword: string
  newPassword: string
}

/** The change ends every session; the answer brings the one with which this page goes on. */
export function useChangePassword(userId: string) {
  const queries = useQueryClient()
  return useAct(async (body: Passwords) => {
    const changed = dataOf(
      await api.PUT('/api/users/{userId}/change-password', { params: { path: { userId } }, body }),
    )
    const next = complete({ ...changed })
    // Who has logged out meanwhile is not to be logged in again by a late answer.
    if (next !== null && currentSession()?.userId === userId) begin(next)
    void queries.invalidateQueries({ queryKey: sessionsKey(userId) })
    return true
  }, texts.changeFailed)
}

/** The list comes anew whatever came of it: who was refused may have seen an old one. */
export function useEndSession(userId: string) {
  const queries = useQueryClient()
  const end = async (id: string) =>
    goneWith(await api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }))
  return useAct(
    (id: string) => end(id).finally(() => queries.invalidateQueries({ queryKey: sessionsKey(userId) })),
    texts.endFailed,
  )
}

export function useEndEverywhere() {
  return useAct(async () => {
    dataOf(await api.DELETE('/api/auth/sessions'))
    end('everywhere')
    return true
  }, texts.everywhereFailed)
}
