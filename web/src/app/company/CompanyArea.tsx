/**
 * The company administrator's hub: the pages that features declare for it.
 *
 * A page of a module that can be switched shows if the company has it; the others always show, after those.
 */
import { sentenceOf } from '../../api/failures'
import { type Session, useSession } from '../../api/session'
import { useModules } from '../../entities/modules/useModules'
import { usePeople } from '../../entities/people/usePeople'
import { Alert } from '../../ui/icons'
import { ErrorState, PageSkeleton } from '../../ui/states'
import { ModuleHub } from '../frame/ModuleHub'
import { pagesOf } from '../pages'
import { texts } from '../texts'
import classes from './CompanyArea.module.css'

export function CompanyArea() {
  const session = useSession()
  return session === null ? null : <CompanyHub session={session} />
}

function CompanyHub({ session }: { session: Session }) {
  const features = useModules(session.companyId)
  const enabled = features.data ?? []
  const pages = pagesOf('company', session, 'module')
  const shown = pages.filter(page => enabled.some(({ key }) => key === page.module))
  const stamps = useStamps(session)
  // Where one arrives, the first of these says: what may still come stands behind it.
  const fixed = pagesOf('company', session).filter(({ stamping = false }) => !stamping)
  const own = stamps ? pagesOf('company', session).filter(({ stamping = false }) => stamping) : []
  const failed = features.data === undefined && features.error !== null
  return (
    <ModuleHub
      title={texts.companyHub}
      username={session.username}
      modules={[...shown, ...fixed, ...own]}
      preselected={failed ? 'login' : undefined}
      pending={failed || features.data !== undefined ? undefined : <PageSkeleton />}
      state={stateOf(failed, features.data)}
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
  )
}

/** Whether the administrator holds a tag, and so has times of their own. */
function useStamps({ companyId, userId }: Session): boolean {
  const people = usePeople(companyId)
  return people.data?.some(({ id, tagId }) => id === userId && tagId != null) ?? false
}

/** What the sidebar says of its own list, if anything. */
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
