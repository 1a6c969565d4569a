/** The latest log lines of a company's clocks, live. */
import { useQueryClient } from '@tanstack/react-query'
import { type LiveEvent, OPENED, useLive } from '../../api/live'
import type { components } from '../../api/schema'
import { cancelAndRefetch } from '../../patterns/useFollow'
import { keyOf, useGet } from '../../patterns/useGet'

export type LogLine = components['schemas']['LogRow']
export type Level = 'all' | 'info' | 'warn' | 'error'

export interface Filter {
  level: Level
  /** The maximum number of lines. */
  limit: number
  /** Text in the serial, the code or the message. */
  q: string
}

const PATH = '/api/companies/{id}/device-logs'

export function useLogs(companyId: string, filter: Filter) {
  const params = { path: { id: companyId }, query: { ...filter } }
  const queryKey = keyOf(PATH, params)
  const queries = useQueryClient()
  // `useGet` refetches lines that may have been missed.
  const logs = useGet(PATH, params, { live: [] })
  useLive(['log'], event => {
    if (event === OPENED) return
    const line = lineOf(event)
    // An answer in flight may be older than the line.
    if (line === null || queries.isFetching({ queryKey }) > 0)
      return void cancelAndRefetch(queries, { queryKey })
    queries.setQueryData<LogLine[]>(queryKey, previous => previous && withLine(previous, line, filter))
  })
  return logs
}

const lineOf = ({ log }: LiveEvent) => (typeof log === 'object' ? (log as LogLine | null) : null)

/** Newest first, without duplicates, up to the limit. */
export function withLine(known: readonly LogLine[], line: LogLine, filter: Filter): LogLine[] {
  const otherLines = known.filter(({ id }) => id !== line.id)
  return (matches(line, filter) ? [line, ...otherLines] : otherLines).slice(0, filter.limit)
}

/** The same filter as the service's. */
function matches({ level, serial, code, message }: LogLine, filter: Filter): boolean {
  const words = filter.q.trim().toLowerCase()
  return (
    (filter.level === 'all' || filter.level === level) &&
    [serial, code, message].some(text => text.toLowerCase().includes(words))
  )
}
