/** A year's vacation of all people, the policy, company holidays and absences; and their mutations. */
import { api, dataOf, ignoreNotFound } from '../../api/client'
import type { components } from '../../api/schema'
import { useDated } from '../../patterns/dated/useDated'
import { useChange } from '../../patterns/useChange'
import { keyOf, useGet } from '../../patterns/useGet'
import { bounds } from '../../ui/months'
import { texts } from './texts'

type Schemas = components['schemas']
export type Person = Schemas['NoticeRow']
export type Closure = Schemas['ClosureRow']
export type Created = Schemas['CreatedRow']
export type Policy = Schemas['PolicyRow']
export type Leave = Schemas['RequestRow']

const NOTICES = '/api/companies/{companyId}/vacation-notices'
const CLOSURES = '/api/companies/{companyId}/closures'
const POLICY = '/api/companies/{companyId}/vacation-policy'
const LEAVE = '/api/companies/{companyId}/vacation-requests'

const company = (companyId: string) => ({ path: { companyId } })
const LIVE = { live: ['plan_update'] }

export const useYear = (companyId: string, year: number) =>
  useGet(NOTICES, { ...company(companyId), query: { year } }, LIVE)
export const useClosures = (companyId: string) => useGet(CLOSURES, company(companyId), LIVE)
export const usePolicy = (companyId: string) => useGet(POLICY, company(companyId))
export const useLeave = (companyId: string, month: string) =>
  useGet(LEAVE, { ...company(companyId), query: { status: 'all', ...bounds(month) } }, LIVE)

const changedKeys = (companyId: string) => [
  keyOf(NOTICES, company(companyId)),
  keyOf(CLOSURES, company(companyId)),
]

export const useSendNotices = (companyId: string) =>
  useChange(
    async (body: Schemas['Notices']) => dataOf(await api.POST(NOTICES, { params: company(companyId), body })),
    texts.sendFailed,
    changedKeys(companyId),
  )

export const useAddClosure = (companyId: string) =>
  useChange(
    async (body: Schemas['NewClosure']) =>
      dataOf(await api.POST(CLOSURES, { params: company(companyId), body })),
    texts.addFailed,
    changedKeys(companyId),
  )

export const useRemoveClosure = (companyId: string) =>
  useChange(
    async (closureId: string) =>
      ignoreNotFound(
        await api.DELETE('/api/companies/{companyId}/closures/{closureId}', {
          params: { path: { companyId, closureId } },
        }),
      ),
    texts.removeFailed,
    changedKeys(companyId),
  )

export const useSavePolicy = (companyId: string) =>
  useDated(
    async (body: Schemas['PolicyChange'], dryRun) =>
      dataOf(await api.PUT(POLICY, { params: { ...company(companyId), query: { dryRun } }, body })),
    texts.policySaveFailed,
    [keyOf(POLICY, company(companyId)), ...changedKeys(companyId)],
  )
