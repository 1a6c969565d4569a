/** A company's log, page by page, newest first, and the kinds that occur in it. */
import { useGet } from '../../patterns/useGet'
import { usePages } from '../../patterns/usePages'

export interface Filter {
  /** A user id; empty: all users. */
  actor: string
  /** An action, or a prefix that ends in a dot; empty: all actions. */
  action: string
  from: string
  to: string
}

export const NO_FILTER: Filter = { actor: '', action: '', from: '', to: '' }

export const isReversed = ({ from, to }: Filter) => from !== '' && to !== '' && from > to

export function useAudit(companyId: string, filter: Filter) {
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  return usePages('/api/companies/{id}/audit', isReversed(filter) ? null : { path: { id: companyId }, query })
}

export const useKinds = (companyId: string) =>
  useGet('/api/companies/{id}/audit/kinds', { path: { id: companyId } })
