/** Placeholders for content: loading, empty, failed. */

import { Refused } from '../../api/failures'
import { QueryView, RefreshFailed } from '../../patterns/QueryView'
import { Button } from '../../ui/Button'
import { Clock } from '../../ui/icons'
import { Delayed, EmptyState, ErrorState, Loading, PageSkeleton, Skeleton } from '../../ui/states'
import { Narrow } from '../parts'
import { noop, type Specimen } from '../specimen'

export const title = 'Zustände'

const BROKEN = new Refused(500, { message: 'Die Datenbank antwortet nicht.' })
const AT_REST = { data: undefined, error: null, isFetching: false, refetch: noop }

const queryView = (query: Partial<typeof AT_REST | { data: string; error: Error; isFetching: boolean }>) => (
  <QueryView
    query={{ ...AT_REST, ...query }}
    failed="Deine Zeiten konnten nicht geladen werden."
    failedAgain="Deine Zeiten konnten nicht aktualisiert werden."
    skeleton={<Skeleton width={360} height={32} />}
  >
    {data => <p>{data}</p>}
  </QueryView>
)

export const specimens: readonly Specimen[] = [
  {
    name: 'Leer',
    render: () => (
      <>
        <EmptyState sentence="Es gibt noch keine Firma." />
        <EmptyState
          picture={<Clock size={40} strokeWidth={1.6} />}
          sentence="Im Oktober 2026 hast du nicht gestempelt. Fehlt etwas, dann sprich mit deinem Firmen-Admin."
          action={<Button look="primary">Zum aktuellen Monat</Button>}
        />
      </>
    ),
  },
  {
    name: 'Fehler',
    render: () => (
      <>
        <ErrorState
          title="Deine Zeiten konnten nicht geladen werden."
          detail="Die Datenbank antwortet nicht."
          onRetry={noop}
        />
        <ErrorState title="Diese Seite konnte nicht geladen werden." busy onRetry={noop} />
      </>
    ),
  },
  {
    name: 'Gerüste',
    render: () => (
      <>
        <Loading>
          <Skeleton width={220} height={32} />
          <Skeleton />
        </Loading>
        <Delayed>
          <Skeleton width="40%" />
        </Delayed>
        <Narrow>
          <PageSkeleton />
        </Narrow>
      </>
    ),
  },
  { name: 'QueryView: unterwegs', render: () => queryView({ isFetching: true }) },
  { name: 'QueryView: da', render: () => queryView({ data: 'Was der Dienst gesagt hat.' }) },
  {
    name: 'QueryView: da, aber nicht neu zu haben',
    render: () => queryView({ data: 'Von vorhin.', error: BROKEN }),
  },
  { name: 'QueryView: nicht zu haben', render: () => queryView({ error: BROKEN }) },
  {
    name: 'RefreshFailed, während neu gefragt wird',
    render: () => (
      <RefreshFailed
        query={{ error: BROKEN, isFetching: true, refetch: noop }}
        title="Die Liste ist vielleicht veraltet."
      />
    ),
  },
]
