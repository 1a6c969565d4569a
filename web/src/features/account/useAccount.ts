/** The user's own account: second factor, sessions, password. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf, ignoreNotFound } from '../../api/client'
import { Refused } from '../../api/failures'
import type { components } from '../../api/schema'
import { begin, complete, currentSession, end } from '../../api/session'
import { useAct } from '../../patterns/useAct'
import { useChange } from '../../patterns/useChange'
import { keyOf, useGet } from '../../patterns/useGet'
import { texts } from './texts'

export type SessionRow = components['schemas']['SessionRow']
export type Setup = components['schemas']['AuthenticatorSetup']
type Status = components['schemas']['AuthenticatorStatus']

const STATUS = '/api/auth/2fa/status'
const SESSIONS = '/api/auth/sessions'

export const useSecondFactor = () => useGet(STATUS, {})

export const useSessions = () => useGet(SESSIONS, {})

/** The service's code for a required password confirmation. */
export const PASSWORD_NEEDED = 'password_needed'

/** Returns the authenticator's setup, or that the password is required. */
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

/** Updates the cached state after a change, and refetches it without waiting. */
function useStatusNow() {
  const queries = useQueryClient()
  return (enabled: boolean, recoveryCodesLeft: number) => {
    const queryKey = keyOf(STATUS)
    queries.setQueryData<Status>(
      queryKey,
      previous => previous && { ...previous, enabled, recoveryCodesLeft },
    )
    void queries.invalidateQueries({ queryKey })
  }
}

/** Returns the recovery codes, which are never shown again. The other sessions have ended. */
export function useActivate() {
  const queries = useQueryClient()
  const statusIsNow = useStatusNow()
  return useAct(async (code: string) => {
    const { recoveryCodes } = dataOf(await api.POST('/api/auth/2fa/setup/verify', { body: { code } }))
    statusIsNow(true, recoveryCodes.length)
    void queries.invalidateQueries({ queryKey: keyOf(SESSIONS) })
    return recoveryCodes
  }, texts.codeWrong)
}

export function useDisable() {
  const statusIsNow = useStatusNow()
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

/** Changes the own password. The service ends every session and answers with a new one, which this page takes. */
export function useChangePassword(userId: string) {
  const queries = useQueryClient()
  return useAct(async (body: Passwords) => {
    const changed = dataOf(
      await api.PUT('/api/users/{userId}/change-password', { params: { path: { userId } }, body }),
    )
    const next = complete({ ...changed })
    // A late answer must not log a user in again after a logout.
    if (next !== null && currentSession()?.userId === userId) begin(next)
    void queries.invalidateQueries({ queryKey: keyOf(SESSIONS) })
    return true
  }, texts.changeFailed)
}

export function useEndSession() {
  return useChange(
    async (id: string) =>
      ignoreNotFound(await api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } })),
    texts.endFailed,
    [keyOf(SESSIONS)],
  )
}

export function useEndEverywhere() {
  return useAct(async () => {
    dataOf(await api.DELETE('/api/auth/sessions'))
    end('everywhere')
    return true
  }, texts.everywhereFailed)
}
