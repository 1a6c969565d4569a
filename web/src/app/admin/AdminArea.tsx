/** The system administrator's panel: its modules, and the company that is chosen for all of them at once. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useReachable } from '../../api/connectivity'
import { type Session, useSession } from '../../api/session'
import { CompanyPicker } from '../../features/companies/CompanyPicker'
import { CreateCompanyPage } from '../../features/companies/CreateCompanyPage'
import { ManageCompaniesPage } from '../../features/companies/ManageCompaniesPage'
import { type Company, useCompanies } from '../../features/companies/useCompanies'
import { type Drafts, useDrafts } from '../../features/companies/useDrafts'
import { LoginsPage } from '../../features/users/LoginsPage'
import { ResetPage } from '../../features/users/ResetPage'
import { Building, BuildingPlus, Key, People, Person } from '../../ui/icons'
import { OfflineBanner } from '../../ui/Notice'
import { fetched } from '../fetched'
import { type Module, ModuleHub } from '../frame/ModuleHub'
import { pagesOf } from '../pages'
import { texts } from '../texts'
import classes from './AdminArea.module.css'

const AccountPage = fetched(async () => (await import('../../features/account/AccountPage')).AccountPage)

const CHOSEN = 'firma'
/** The page of the own account says itself that the service is out of reach. */
const ACCOUNT = 'account'

const addressOf = (tab: string) => (companyId: string) =>
  `?${new URLSearchParams({ tab, [CHOSEN]: companyId })}`

export function AdminArea() {
  const session = useSession()
  return session === null ? null : <Panel session={session} />
}

function Panel({ session }: { session: Session }) {
  const companies = useCompanies()
  const drafts = useDrafts()
  const [chosenId, choose] = useChosen()
  const found = companies.data?.find(each => each.id === chosenId) ?? null
  const company = companies.isPending && chosenId !== null ? undefined : found
  const picker = <CompanyPicker companies={companies} chosen={found?.id ?? null} onChoose={choose} />
  const modules = modulesOf({ session, company, picker, drafts, onGone: () => choose(null) })
  return (
    <>
      <OutOfReach />
      <ModuleHub title={texts.adminHub} modules={modules} username={session.username} keep={[CHOSEN]} />
    </>
  )
}

interface Shared {
  session: Session
  /** Null: none is chosen; undefined: the one in the address is still looked up. */
  company: Company | null | undefined
  picker: Module['content']
  drafts: Drafts
  onGone: () => void
}

function modulesOf({ session, company, picker, drafts, onGone }: Shared): Module[] {
  return [
    {
      key: 'create_company',
      label: texts.createCompany,
      short: texts.createCompanyShort,
      icon: BuildingPlus,
      content: <CreateCompanyPage modulesOf={addressOf('companies')} loginsOf={addressOf('logins')} />,
    },
    {
      key: 'companies',
      label: texts.manageCompanies,
      short: texts.manageCompaniesShort,
      icon: Building,
      content: (
        <ManageCompaniesPage
          company={company}
          picker={picker}
          drafts={drafts}
          operatorId={session.companyId}
          onDeleted={onGone}
        />
      ),
    },
    {
      key: 'logins',
      label: texts.manageLogins,
      short: texts.manageLoginsShort,
      icon: People,
      content: <LoginsPage company={company} picker={picker} self={session} />,
    },
    {
      key: ACCOUNT,
      label: texts.loginData,
      short: texts.loginDataShort,
      icon: Person,
      content: <AccountPage />,
      aside: true,
    },
    {
      key: 'passwords',
      label: texts.passwordReset,
      short: texts.passwordResetShort,
      icon: Key,
      content: (
        <ResetPage company={company} picker={picker} loginsOf={addressOf('logins')} selfId={session.userId} />
      ),
    },
    ...pagesOf('admin', session),
  ]
}

/** The chosen company's id, kept in the address. */
function useChosen(): [string | null, (companyId: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback(
    (companyId: string | null) =>
      setSearch(known => {
        const next = new URLSearchParams(known)
        if (companyId === null) next.delete(CHOSEN)
        else next.set(CHOSEN, companyId)
        return next
      }),
    [setSearch],
  )
  return [search.get(CHOSEN), choose]
}

function OutOfReach() {
  const reachable = useReachable()
  const [search] = useSearchParams()
  if (reachable || search.get('tab') === ACCOUNT) return null
  return (
    <div className={classes.offline}>
      <OfflineBanner asOf={null} consequence={texts.nothingKept} />
    </div>
  )
}
