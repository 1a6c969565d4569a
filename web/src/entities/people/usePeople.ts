/** The people of a company, as whoever asks may see them: an administrator their tags and roles, anybody their names. */

import type { QueryState } from '../../patterns/QueryView'
import { keyOf, useGet } from '../../patterns/useGet'
import type { User } from './people'

const PATH = '/api/companies/{companyId}/users'
const asking = (companyId: string) => ({ path: { companyId } })

export const peopleKey = (companyId: string) => keyOf(PATH, asking(companyId))

/** Who was deleted, and of whom something is still kept; for administrators. */
export const useDeleted = (companyId: string) =>
  useGet(PATH, { ...asking(companyId), query: { deleted: true } })

export const usePeople = (companyId: string | null): QueryState<User[]> =>
  useGet(PATH, companyId === null ? null : asking(companyId))
