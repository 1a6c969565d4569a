/**
 * The company administrator's hub: the pages that features declare for it. A page of an optional module shows if the
 * company has it; the others always show. `menu.ts` has their order.
 */
import { useDeferredValue, useEffect } from 'react'
import { sentenceOf } from '../../api/failures'
import { type Session, useSession } from '../../api/session'
import { useModules } from '../../entities/modules/useModules'
import { usePeople } from '../../entities/people/usePeople'
import { useToday, waitingBy } from '../../entities/today/useToday'
import { Alert } from '../../ui/icons'
import { keepPresses } from '../../ui/presses'
import { ErrorState, PageSkeleton } from '../../ui/states'
import { FEATURES } from '../features'
import { CountMark } from '../frame/CountMark'
import { Finder } from '../frame/Finder'
import type { Target } from '../frame/FinderDialog'
import { ModuleHub, targetOf } from '../frame/ModuleHub'
import { declaredFor, pagesOf } from '../pages'
import classes from './CompanyArea.module.css'
import { arranged } from './menu'
import { texts } from './texts'

const PAGES = declaredFor('company', FEATURES)

export function CompanyArea() {
  const session = useSession()
  return session === null ? null : <CompanyHub session={session} />
}

function CompanyHub({ session }: { session: Session }) {
  useEffect(keepPresses, [])
  const features = useModules(session.companyId)
  // The page below a module renders with it, as a deferred update.
  const enabledFeatures = useDeferredValue(features.data)
  const enabled = enabledFeatures ?? []
  const pages = pagesOf(PAGES, session, 'module')
  const enabledPages = pages.filter(page => enabled.some(({ key }) => key === page.module))
  const stamps = useStamps(session)
  const waiting = useWaiting(session)
  const fixed = pagesOf(PAGES, session).filter(({ stamping = false }) => !stamping)
  const stampingPages = stamps ? pagesOf(PAGES, session).filter(({ stamping = false }) => stamping) : []
  const failed = features.data === undefined && features.error !== null
  const modules = arranged([...enabledPages, ...fixed, ...stampingPages])
  return (
    <>
      <Finder
        pages={modules.map(targetOf)}
        people={usePersons(
          session,
          enabled.some(({ key }) => key === PEOPLE),
        )}
      />
      <ModuleHub
        title={texts.companyHub}
        username={session.username}
        modules={modules.map(module => ({
          ...module,
          mark: module.mark ?? <Waiting count={waiting[module.key] ?? 0} />,
        }))}
        preselected={failed ? 'login' : undefined}
        pending={failed || enabledFeatures !== undefined ? undefined : <PageSkeleton />}
        state={stateOf(failed, enabledFeatures)}
        above={
          failed && (
            <div className={classes.failed}>
              <ErrorState
                title={texts.modulesFailed}
                detail={sentenceOf(features.error, texts.modulesFailed)}
                busy={features.isFetching}
                onRetry={features.refetch}
              />
            </div>
          )
        }
      />
    </>
  )
}

const PEOPLE = 'manage_employees'

/** The people with a page of their own, for the finder. */
function usePersons({ companyId }: Session, has: boolean): readonly Target[] {
  const people = usePeople(companyId)
  return has
    ? (people.data ?? []).map(({ id, username }) => ({
        to: `?${new URLSearchParams({ tab: PEOPLE, person: id })}`,
        label: username,
      }))
    : []
}

/** The numbers of waiting items by page: unknown until the service has answered. */
function useWaiting({ companyId }: Session): Readonly<Record<string, number>> {
  const today = useToday(companyId)
  return today.data === undefined ? {} : waitingBy(today.data)
}

const Waiting = ({ count }: { count: number }) =>
  count === 0 ? null : <CountMark count={count} words={texts.waiting(count)} />

/** Whether the administrator has a tag, and so has their own times. */
function useStamps({ companyId, userId }: Session): boolean {
  const people = usePeople(companyId)
  return people.data?.some(({ id, tagId }) => id === userId && tagId != null) ?? false
}

/** The sidebar's note about its own list, if any. */
function stateOf(failed: boolean, enabled: readonly unknown[] | undefined) {
  if (failed) {
    return (
      <p role="alert" className={classes.wrong}>
        <Alert size={18} />
        {texts.modulesFailed}
      </p>
    )
  }
  if (enabled === undefined) return <p role="status">{texts.loadingModules}</p>
  if (enabled.length === 0) return <p>{texts.noModules}</p>
  return undefined
}
