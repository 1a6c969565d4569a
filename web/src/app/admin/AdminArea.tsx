/**
 * The system administrator's panel: the pages that features declare for it, with one chosen company for all of them.
 */
import { useEffect } from 'react'
import { useSession } from '../../api/session'
import { COMPANY_PARAM } from '../../entities/companies/useCompanies'
import { keepPresses } from '../../ui/presses'
import { FEATURES } from '../features'
import { Finder } from '../frame/Finder'
import { ModuleHub, targetOf } from '../frame/ModuleHub'
import { declaredFor, pagesOf } from '../pages'
import { texts } from '../texts'

const KEPT_PARAMS = [COMPANY_PARAM]
const PAGES = declaredFor('admin', FEATURES)

export function AdminArea() {
  const session = useSession()
  useEffect(keepPresses, [])
  if (session === null) return null
  const modules = pagesOf(PAGES, session)
  return (
    <>
      <Finder pages={modules.map(targetOf)} />
      <ModuleHub title={texts.adminHub} modules={modules} username={session.username} keep={KEPT_PARAMS} />
    </>
  )
}
