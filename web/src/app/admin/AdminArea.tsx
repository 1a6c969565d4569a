/** The system administrator's panel: the pages that features declare for it, and one chosen company for all of them. */
import { useSession } from '../../api/session'
import { CHOSEN } from '../../entities/companies/useCompanies'
import { FEATURES } from '../features'
import { ModuleHub } from '../frame/ModuleHub'
import { declaredFor, pagesOf } from '../pages'
import { texts } from '../texts'

const KEPT = [CHOSEN]
const PAGES = declaredFor('admin', FEATURES)

export function AdminArea() {
  const session = useSession()
  if (session === null) return null
  return (
    <ModuleHub
      title={texts.adminHub}
      modules={pagesOf(PAGES, session)}
      username={session.username}
      keep={KEPT}
    />
  )
}
