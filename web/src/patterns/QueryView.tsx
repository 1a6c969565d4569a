/**
 * A query's view in each of its states: loading (`skeleton`), loaded, loaded but not refreshed, failed. New data
 * renders as a deferred update, so that a slow phone still reacts to touch. While the service is out of reach the
 * page's banner reports it; this only explains the missing content.
 */
import { type ReactNode, useDeferredValue } from 'react'
import { useReachable } from '../api/connectivity'
import { haveGone, sentenceOf } from '../api/failures'
import { Button } from '../ui/Button'
import { useFocusPassedOn } from '../ui/focus'
import { Notice } from '../ui/Notice'
import { EmptyState, ErrorState, Loading } from '../ui/states'
import { texts as uiTexts } from '../ui/texts'
import classes from './QueryView.module.css'
import { texts } from './texts'

/** The needed part of a query: one of TanStack's, or several combined. */
export interface QueryState<Data> {
  data: Data | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

interface QueryViewProps<Data> {
  query: QueryState<Data>
  /** The sentence for a failed load. */
  failed: string
  /** The sentence for a failed refresh, if it differs. */
  failedAgain?: string
  /** The explanation for missing content while the service is out of reach, if it differs. */
  offline?: string
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

export function QueryView<Data>({
  query,
  failed,
  failedAgain = failed,
  offline = texts.notSeenOffline,
  skeleton,
  children,
}: QueryViewProps<Data>) {
  const reachable = useReachable()
  const come = query.data !== undefined
  const deferredCome = useDeferredValue(come)
  if (query.data !== undefined && deferredCome) {
    return (
      <>
        {query.error !== null && reachable && <RefreshFailed query={query} title={failedAgain} />}
        {children(query.data)}
      </>
    )
  }
  if (!reachable && !come) return <p className={classes.nothing}>{offline}</p>
  if (query.error === null || come) return <Loading>{skeleton}</Loading>
  if (haveGone(query.error)) return <EmptyState sentence={query.error.message} />
  return (
    <ErrorState
      title={failed}
      detail={sentenceOf(query.error, failed)}
      busy={query.isFetching}
      onRetry={query.refetch}
    />
  )
}

/** Keeps the data and offers to retry. */
export function RefreshFailed({ query, title }: { query: Omit<QueryState<unknown>, 'data'>; title: string }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Notice
      tone="error"
      live="polite"
      title={title}
      action={
        <Button ref={button} look="plain" busy={query.isFetching} onClick={query.refetch}>
          {uiTexts.retry}
        </Button>
      }
    >
      <p>{sentenceOf(query.error, title)}</p>
    </Notice>
  )
}
