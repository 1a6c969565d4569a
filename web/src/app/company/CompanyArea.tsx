/**
 * The company administrator's hub; its modules are registered here.
 *
 * A module that can be switched shows if the company has it and its page exists; login and the audit log always show.
 */
import { sentenceOf } from '../../api/failures'
import { type Session, useSession } from '../../api/session'
import { Alert, Key, Scroll } from '../../ui/icons'
import { ErrorState, PageSkeleton } from '../../ui/states'
import { fetched } from '../fetched'
import { type Module, ModuleHub } from '../frame/ModuleHub'
import { texts } from '../texts'
import classes from './CompanyArea.module.css'
import { useModules } from './useModules'

const AccountPage = fetched(async () => (await import('../../features/account/AccountPage')).AccountPage)
const AuditPage = fetched(async () => (await import('../../features/audit/AuditPage')).AuditPage)

export function CompanyArea() {
  const session = useSession()
  return session === null ? null : <CompanyHub session={session} />
}

/** The pages of the modules that can be switched, in the sidebar's order, by the key of their feature. */
const switchable = (_session: Session): readonly Module[] => []

const always = ({ companyId }: Session): readonly Module[] => [
  {
    key: 'audit',
    label: texts.auditLog,
    short: texts.auditLogShort,
    icon: Scroll,
    content: <AuditPage companyId={companyId} />,
  },
  {
    key: 'login',
    label: texts.loginAndPassword,
    short: texts.loginDataShort,
    icon: Key,
    content: <AccountPage />,
  },
]

function CompanyHub({ session }: { session: Session }) {
  const features = useModules(session.companyId)
  const enabled = features.data ?? []
  const pages = switchable(session)
  const shown = pages.filter(page => enabled.some(({ key }) => key === page.key))
  const coming = enabled.filter(({ key }) => !pages.some(page => page.key === key))
  const failed = features.data === undefined && features.error !== null
  return (
    <ModuleHub
      title={texts.companyHub}
      username={session.username}
      modules={[...shown, ...always(session)]}
      preselected={failed ? 'login' : undefined}
      pending={failed || features.data !== undefined ? undefined : <PageSkeleton />}
      state={stateOf(failed, features.data)}
      note={coming.length > 0 ? texts.comingModules(coming.length) : undefined}
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
