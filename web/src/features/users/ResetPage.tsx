/** "Passwort zurücksetzen": new passwords, locks and second factors of a company's people. */
import { useState } from 'react'
import { Link } from 'react-router'
import { OfCompany } from '../../entities/companies/OfCompany'
import { type Company, pageAbout } from '../../entities/companies/useCompanies'
import { searchOfPeople } from '../../entities/people/parts'
import { protection, type User } from '../../entities/people/people'
import { usePeople } from '../../entities/people/usePeople'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { Refresh } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import type { PageProps } from '../feature'
import { ResetAll } from './ResetAll'
import { type Action, ResetDialog } from './ResetDialog'
import { resetColumns } from './resetColumns'
import { texts } from './texts'

/** The columns while the people are loading. */
const SHAPE = resetColumns('', () => undefined)

interface ResetQuestion {
  action: Action
  user: User
}

export function ResetPage({ session }: PageProps) {
  return (
    <Page title={texts.resetTitle} lead={texts.resetLead}>
      <OfCompany skeleton={<TableSkeleton columns={SHAPE} />}>
        {company => <Resets company={company} selfId={session.userId} />}
      </OfCompany>
    </Page>
  )
}

function Resets({ company, selfId }: { company: Company; selfId: string }) {
  const people = usePeople(company.id)
  const [asked, setAsked] = useState<ResetQuestion | 'all' | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <QueryView query={people} failed={texts.listFailed} skeleton={<TableSkeleton columns={SHAPE} />}>
        {users => (
          <People
            users={users}
            toLogins={pageAbout('logins', company.id)}
            selfId={selfId}
            onAsk={setAsked}
            onAll={() => setAsked('all')}
          />
        )}
      </QueryView>
      {asked === 'all' && <ResetAll company={company} onClose={close} />}
      {asked !== null && asked !== 'all' && (
        <ResetDialog
          companyId={company.id}
          user={asked.user}
          action={asked.action}
          onDone={succeed}
          onClose={close}
        />
      )}
    </>
  )
}

interface PeopleProps {
  users: readonly User[]
  toLogins: string
  /** The caller: users cannot reset or lock themselves here. */
  selfId: string
  onAsk: (asked: ResetQuestion) => void
  onAll: () => void
}

function People({ users, toLogins, selfId, onAsk, onAll }: PeopleProps) {
  if (users.length === 0) {
    return <EmptyState sentence={texts.nobody} action={<Link to={toLogins}>{texts.newLogin}</Link>} />
  }
  const anybody = users.some(user => user.id !== selfId && protection(user) === null)
  return (
    <DataTable
      caption={texts.people}
      rows={users}
      columns={resetColumns(selfId, onAsk)}
      keyOf={user => user.id}
      sortedBy="name"
      search={searchOfPeople}
      tools={
        anybody && (
          <Button icon={<Refresh size={18} />} onClick={onAll}>
            {texts.all}
          </Button>
        )
      }
    />
  )
}
