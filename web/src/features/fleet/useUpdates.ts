/** Queries and mutations of releases and rollouts. */
import { api, dataOf } from '../../api/client'
import type { components } from '../../api/schema'
import { useChange } from '../../patterns/useChange'
import { useGet } from '../../patterns/useGet'
import { texts } from './updateTexts'

export type Release = components['schemas']['ReleaseRow']
export type Signature = components['schemas']['SignatureRow']
export type NewRollout = components['schemas']['NewRollout']
export type Move = 'pause' | 'resume' | 'rollback'

const ALL = [['/api/updates/rollouts'], ['/api/updates/releases']]

export const useReleases = () =>
  useGet('/api/updates/releases', {}, { live: ['updates_update', 'rollouts_update'] })

export const useSignatures = () => useGet('/api/updates/signatures', {}, { live: ['updates_update'] })

export const useStart = () =>
  useChange(
    async (body: NewRollout) => dataOf(await api.POST('/api/updates/rollouts', { body })),
    texts.startFailed,
    ALL,
  )

export const useMove = (id: string, move: Move) =>
  useChange(
    async () =>
      dataOf(await api.POST(`/api/updates/rollouts/{id}/${move}` as const, { params: { path: { id } } })),
    texts.moveFailed[move],
    ALL,
  )

export const useWithdraw = (version: string) =>
  useChange(
    async (reason: string) =>
      dataOf(
        await api.POST('/api/updates/releases/{version}/withdraw', {
          params: { path: { version } },
          body: { reason },
        }),
      ),
    texts.withdrawFailed,
    ALL,
  )
