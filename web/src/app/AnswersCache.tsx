/**
 * Provides the query cache to parts that call the service. It is fetched with the first of them
 * (`withQueryClient.tsx`).
 */
import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext } from 'react'
import { createQueries, tieToClock, tieToSession } from './queries'

/** One cache for the app, for the lifetime of the page. */
export const queries = createQueries()
tieToSession(queries)
tieToClock(queries)

/** The cache of an outer provider, if any. */
export function AnswersCache({ children }: { children: ReactNode }) {
  const around = useContext(QueryClientContext)
  return <QueryClientProvider client={around ?? queries}>{children}</QueryClientProvider>
}
