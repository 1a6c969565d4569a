/** "Logins verwalten": a company's logins by role, and creating one. */
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { isUnreadable } from '../../api/tags'
import { OfCompany } from '../../entities/companies/OfCompany'
import { LockedBadge, NoActions, NobodyFound, PeopleSearch } from '../../entities/people/parts'
import { groupsOf, isFounder, matches, protection, type Role, type User } from '../../entities/people/people'
import { usePeople } from '../../entities/people/usePeople'
import { fetched } from '../../patterns/fetched'
import { Page } from '../../patterns/Page'
import { QueryView } from '../../patterns/QueryView'
import { succeed } from '../../patterns/succeed'
import { type Column, DataTable, TableSkeleton } from '../../patterns/table/DataTable'
import { useSearch } from '../../patterns/useSearch'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Pencil, Plus, Trash } from '../../ui/icons'
import { Buttons, Section, Toolbar } from '../../ui/layout'
import type { PageProps } from '../feature'
import classes from './people.module.css'
import { texts } from './texts'
import { useDeleteUser } from './useUsers'

export const NewLogin = fetched(async () => (await import('./NewLogin')).NewLogin, null)
export const EditLogin = fetched(async () => (await import('./EditLogin')).EditLogin, null)

const ROLES: readonly Role[] = ['user', 'companyAdmin']

/** System administrators belong to the operator's company, and only founders create them. */
function useRoles(companyId: string, self: PageProps['session']): readonly Role[] {
  const colleagues = usePeople(companyId === self.companyId ? companyId : null)
  return isFounder(colleagues.data ?? [], self.userId) ? [...ROLES, 'admin'] : ROLES
}

export function LoginsPage({ session }: PageProps) {
  return (
    <Page title={texts.loginsTitle} lead={texts.loginsLead}>
      <OfCompany skeleton={<TableSkeleton columns={SHAPE} />}>
        {company => <Logins companyId={company.id} self={session} />}
      </OfCompany>
    </Page>
  )
}

/** The columns while the people are loading. */
const SHAPE = columnsFor('', () => undefined)

export type LoginDialog = { what: 'new' } | { what: 'edit' | 'delete'; user: User }

function Logins({ companyId, self }: { companyId: string; self: PageProps['session'] }) {
  const people = usePeople(companyId)
  const roles = useRoles(companyId, self)
  const [asked, setAsked] = useState<LoginDialog | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <QueryView query={people} failed={texts.loadFailed} skeleton={<TableSkeleton columns={SHAPE} />}>
        {users => <Lists users={users} selfId={self.userId} onAsk={setAsked} />}
      </QueryView>
      {asked?.what === 'new' && <NewLogin companyId={companyId} roles={roles} onClose={close} />}
      {asked?.what === 'edit' && (
        <EditLogin
          companyId={companyId}
          user={asked.user}
          self={asked.user.id === self.userId}
          roles={roles}
          onSaved={name => succeed(texts.saved(name))}
          onClose={close}
        />
      )}
      {asked?.what === 'delete' && <DeleteLogin companyId={companyId} user={asked.user} onClose={close} />}
    </>
  )
}

interface ListsProps {
  users: readonly User[]
  selfId: string
  onAsk: (asked: LoginDialog) => void
  create?: string
  /** Further actions on all of them. */
  tools?: ReactNode
  /** The link to a person's own page. */
  placeOf?: (user: User) => string
}

export function Lists({ users, selfId, onAsk, create = texts.newLogin, tools, placeOf }: ListsProps) {
  const search = useSearch(users, matches)
  const shownGroups = groupsOf(search.found)
  const columns = columnsFor(selfId, onAsk, placeOf)
  const list = (title: string, group: User[], empty?: string) =>
    (group.length > 0 || (!search.active && empty !== undefined)) && (
      <Section title={title} count={group.length}>
        {group.length === 0 ? (
          <p className="muted">{empty}</p>
        ) : (
          <DataTable
            caption={title}
            rows={group}
            columns={columns}
            keyOf={user => user.id}
            sortedBy="name"
            even
          />
        )}
      </Section>
    )
  return (
    <>
      <Toolbar>
        {users.length > 0 && <PeopleSearch words={search.words} onWords={search.onWords} />}
        <Buttons>
          {tools}
          <Button
            look="primary"
            icon={<Plus size={20} />}
            onPointerEnter={NewLogin.prepare}
            onFocus={NewLogin.prepare}
            onClick={() => onAsk({ what: 'new' })}
          >
            {create}
          </Button>
        </Buttons>
      </Toolbar>
      {search.active && search.found.length === 0 && <NobodyFound onShowAll={search.clear} />}
      {list(texts.admins, shownGroups.admins)}
      {list(texts.companyAdmins, shownGroups.companyAdmins, texts.noCompanyAdmins)}
      {list(texts.employees, shownGroups.employees, texts.noEmployees)}
    </>
  )
}

function columnsFor(
  selfId: string,
  onAsk: ListsProps['onAsk'],
  placeOf?: ListsProps['placeOf'],
): Column<User>[] {
  return [
    {
      key: 'name',
      head: texts.username,
      names: true,
      sortBy: user => user.username,
      cell: user => (
        <span className={classes.name}>
          {placeOf === undefined ? user.username : <Link to={placeOf(user)}>{user.username}</Link>}
          {user.isLocked === true && <LockedBadge />}
          {user.worksCouncil === true && <Badge>{texts.worksCouncil}</Badge>}
        </span>
      ),
    },
    {
      key: 'tag',
      head: texts.tagId,
      sortBy: user => user.tagId ?? '',
      cell: user => (user.tagId ? <Tag tag={user.tagId} /> : texts.noTag),
    },
    {
      key: 'acts',
      head: texts.actions,
      acts: true,
      cell: user =>
        protection(user) === null ? (
          <Acts user={user} self={user.id === selfId} onAsk={onAsk} />
        ) : (
          <NoActions user={user} />
        ),
    },
  ]
}

function Tag({ tag }: { tag: string }) {
  return (
    <span className={classes.name}>
      <span className={classes.tag}>{tag}</span>
      {isUnreadable(tag) && <Badge tone="warn">{texts.unreadableTag}</Badge>}
    </span>
  )
}

function Acts({ user, self, onAsk }: { user: User; self: boolean; onAsk: ListsProps['onAsk'] }) {
  return (
    <div className={classes.pair}>
      <Button
        icon={<Pencil size={18} />}
        aria-label={texts.editOf(user.username)}
        onPointerEnter={EditLogin.prepare}
        onFocus={EditLogin.prepare}
        onClick={() => onAsk({ what: 'edit', user })}
      >
        {texts.edit}
      </Button>
      {self ? (
        <NoActions user={user} />
      ) : (
        <Button
          icon={<Trash size={18} />}
          aria-label={texts.removeOf(user.username)}
          onClick={() => onAsk({ what: 'delete', user })}
        >
          {texts.remove}
        </Button>
      )}
    </div>
  )
}

interface DeleteLoginProps {
  companyId: string
  user: User
  failed?: string
  onClose: () => void
}

export function DeleteLogin({ companyId, user, failed, onClose }: DeleteLoginProps) {
  return (
    <ConfirmDialog
      title={texts.removeQuestion(user.username)}
      consequences={texts.removeConsequences}
      confirm={texts.removeConfirm}
      danger={<Trash size={18} />}
      acting={useDeleteUser(companyId, user.id, failed)}
      done={() => succeed(texts.removed(user.username))}
      onClose={onClose}
    />
  )
}
