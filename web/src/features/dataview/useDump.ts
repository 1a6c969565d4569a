/** A company's stored data; if the dump fails, the tables from other endpoints. */

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keyOf, useGet } from '../../patterns/useGet'
import type { Row } from './files'

export interface Dump {
  tables: Readonly<Record<string, readonly Row[]>>
  counts: Readonly<Record<string, number>>
}

const DUMP = '/api/companies/{id}/data-dump'
const EVERY_STATUS = { status: 'all' } as const

/** `error`: both sources failed. `stale`: the reason why the data could not be refreshed. */
export function useDump(id: string, limit: number) {
  const queries = useQueryClient()
  const dump = useGet(DUMP, { path: { id }, query: { limit } })
  const failed = dump.error !== null && dump.data === undefined
  const company = failed ? { path: { companyId: id } } : null
  const reads = {
    users: useGet('/api/companies/{companyId}/users', company),
    devices: useGet('/api/companies/{companyId}/clocks', company),
    absences: useGet('/api/companies/{companyId}/absences', company && { ...company, query: EVERY_STATUS }),
    time_corrections: useGet(
      '/api/companies/{companyId}/time-corrections',
      company && { ...company, query: EVERY_STATUS },
    ),
    export_settings: useGet(
      '/api/companies/{id}/export-settings' as never,
      (failed ? { path: { id } } : null) as never,
    ),
  }
  const answers = Object.entries(reads).map(([table, query]) => [table, query.data] as const)
  const waiting = Object.values(reads).some(query => query.isFetching)
  const gatheredDump = failed && !waiting ? gathered(answers) : undefined
  return {
    data: (dump.data as Dump | undefined) ?? gatheredDump,
    error: failed && !waiting && gatheredDump === undefined ? dump.error : null,
    stale: dump.data === undefined ? null : dump.error,
    isFetching: dump.isFetching || waiting,
    failedAt: dump.errorUpdatedAt,
    refetch: () => queries.invalidateQueries({ queryKey: keyOf(DUMP) }).then(() => dump.refetch()),
  }
}

/** Lists unchanged, other values as one row; undefined: nothing was loaded. */
function gathered(answers: readonly (readonly [string, unknown])[]): Dump | undefined {
  const came = answers.filter(([, data]) => data !== undefined && data !== null)
  if (came.length === 0) return undefined
  const tables = Object.fromEntries(
    came.map(([table, data]) => [table, (Array.isArray(data) ? data : [data]) as Row[]]),
  )
  return {
    tables,
    counts: Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length])),
  }
}

/** Names of people by id, taken from the rows. */
export const useNames = (dump: Dump | undefined) =>
  useMemo(() => new Map((dump?.tables.users ?? []).map(row => [row.id, String(row.username ?? '')])), [dump])
