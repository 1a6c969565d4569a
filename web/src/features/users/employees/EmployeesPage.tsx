/** "Mitarbeiter verwalten": the company's people, by role; the name links to a person's own page (`person=`). */
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Role } from '../../../entities/people/people'
import { useDeleted, usePeople } from '../../../entities/people/usePeople'
import { fetched } from '../../../patterns/fetched'
import { Page } from '../../../patterns/Page'
import { QueryView } from '../../../patterns/QueryView'
import { succeed } from '../../../patterns/succeed'
import { useGet } from '../../../patterns/useGet'
import { Button } from '../../../ui/Button'
import { momentOf } from '../../../ui/days'
import { Upload } from '../../../ui/icons'
import { CardList, Section } from '../../../ui/layout'
import { SkeletonRows } from '../../../ui/states'
import type { PageProps } from '../../feature'
import { DeleteLogin, EditLogin, Lists, type LoginDialog, NewLogin } from '../LoginsPage'
import { texts } from './texts'

const PersonPage = fetched(async () => (await import('./PersonPage')).PersonPage)
const ImportDialog = fetched(async () => (await import('./ImportDialog')).ImportDialog, null)

const ROLES: readonly Role[] = ['user', 'companyAdmin']
const WORDS = { title: texts.create, failed: texts.createFailed }
const placeOf = ({ id }: { id: string }) => `?${new URLSearchParams({ tab: 'manage_employees', person: id })}`

export function EmployeesPage({ session }: PageProps) {
  const [search] = useSearchParams()
  const person = search.get('person')
  if (person !== null) return <PersonPage key={person} companyId={session.companyId} userId={person} />
  return <Employees companyId={session.companyId} selfId={session.userId} />
}

function Employees({ companyId, selfId }: { companyId: string; selfId: string }) {
  const people = usePeople(companyId)
  const heldStamps = useGet('/api/companies/{id}/held-stamps', { path: { id: companyId } }).data ?? []
  const [asked, setAsked] = useState<LoginDialog | null>(null)
  const [importing, setImporting] = useState(false)
  const close = () => setAsked(null)
  return (
    <Page title={texts.title} lead={texts.lead}>
      <QueryView query={people} failed={texts.loadFailed} skeleton={<SkeletonRows />}>
        {users => (
          <Lists
            users={users}
            selfId={selfId}
            onAsk={setAsked}
            create={texts.create}
            placeOf={placeOf}
            tools={
              <Button
                icon={<Upload size={18} />}
                onPointerEnter={ImportDialog.prepare}
                onFocus={ImportDialog.prepare}
                onClick={() => setImporting(true)}
              >
                {texts.import}
              </Button>
            }
          />
        )}
      </QueryView>
      <Deleted companyId={companyId} />
      {asked?.what === 'new' && (
        <NewLogin companyId={companyId} roles={ROLES} words={WORDS} held={heldStamps} onClose={close} />
      )}
      {asked?.what === 'edit' && (
        <EditLogin
          companyId={companyId}
          user={asked.user}
          self={asked.user.id === selfId}
          roles={ROLES}
          failed={texts.saveFailed}
          held={heldStamps}
          onSaved={name => succeed(texts.saved(name))}
          onClose={close}
        />
      )}
      {asked?.what === 'delete' && (
        <DeleteLogin companyId={companyId} user={asked.user} failed={texts.deleteFailed} onClose={close} />
      )}
      {importing && <ImportDialog companyId={companyId} onClose={() => setImporting(false)} />}
    </Page>
  )
}

/** Former employees stay on the page while records of them exist. */
function Deleted({ companyId }: { companyId: string }) {
  const { data = [] } = useDeleted(companyId)
  if (data.length === 0) return null
  return (
    <Section title={texts.deleted} count={data.length}>
      <CardList items={data} keyOf={({ id }) => id} look="plain">
        {user => (
          <p style={{ padding: '6px 0' }}>
            <Link to={placeOf(user)}>{user.username}</Link>{' '}
            {user.deletedAt && (
              <span className="muted">{texts.deletedAt(momentOf(new Date(user.deletedAt)))}</span>
            )}
          </p>
        )}
      </CardList>
    </Section>
  )
}
