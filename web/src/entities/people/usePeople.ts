/** The people of a company, as the caller may see them: administrators see tags and roles, others only names. */

import type { QueryState } from '../../patterns/QueryView'
import { keyOf, useGet } from '../../patterns/useGet'
import type { User } from './people'

const PATH = '/api/companies/{companyId}/users'
const asking = (companyId: string) => ({ path: { companyId } })

export const peopleKey = (companyId: string) => keyOf(PATH, asking(companyId))

/** Deleted people with remaining records; for administrators. */
export const useDeleted = (companyId: string) =>
  useGet(PATH, { ...asking(companyId), query: { deleted: true } })

export const usePeople = (companyId: string | null): QueryState<User[]> =>
  useGet(PATH, companyId === null ? null : asking(companyId))
