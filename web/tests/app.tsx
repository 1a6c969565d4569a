/** The whole app, knowing nothing yet. */
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { App } from '../src/app/App'
import { createQueries, tieToClock, tieToSession } from '../src/app/queries'

export function AppWithQueries() {
  const [queries] = useState(createQueries)
  useEffect(() => tieToSession(queries), [queries])
  useEffect(() => tieToClock(queries), [queries])
  return (
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  )
}
