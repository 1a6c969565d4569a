/** An act that refetches these queries afterwards, even when it failed: the user may have acted on stale data. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type Acting, useAct } from './useAct'

export function useChange<Input, Output extends object | boolean | string>(
  act: (input: Input) => Promise<Output>,
  failed: string,
  reads: readonly QueryKey[],
): Acting<Input, Output> {
  const queries = useQueryClient()
  const invalidate = () => Promise.all(reads.map(queryKey => queries.invalidateQueries({ queryKey })))
  return useAct((input: Input) => act(input).finally(invalidate), failed)
}
