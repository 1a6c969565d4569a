/** The system administrator's panel: the pages that features declare for it, and one chosen company for all of them. */
import { useSession } from '../../api/session'
import { CHOSEN } from '../../entities/companies/useCompanies'
import { ModuleHub } from '../frame/ModuleHub'
import { pagesOf } from '../pages'
import { texts } from '../texts'

const KEPT = [CHOSEN]

export function AdminArea() {
  const session = useSession()
  if (session === null) return null
  return (
    <ModuleHub
      title={texts.adminHub}
      modules={pagesOf('admin', session)}
      username={session.username}
      keep={KEPT}
    />
  )
}
