/** "Logins verwalten": who may log in for a company, in two lists, and the form for somebody new. */
import { type ReactNode, useState } from 'react'
import { useBanner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { Pencil, Trash } from '../../ui/icons'
import { PageFrame } from '../../ui/PageFrame'
import { DeleteLogin } from './DeleteLogin'
import { EditLogin } from './EditLogin'
import { NewLogin } from './NewLogin'
import { type Chosen, ListCard, LockedBadge, NoActions, NobodyFound, OfCompany, PeopleSearch } from './parts'
import classes from './parts.module.css'
import { found, groupsOf, isFounder, protection, type Role, type User } from './people'
import { texts } from './texts'
import { useUsers } from './useUsers'

interface Self {
  userId: string
  /** The operator's own company. */
  companyId: string
}

interface LoginsPageProps {
  company: Chosen<{ id: string }>
  picker: ReactNode
  self: Self
}

interface Asked {
  what: 'edit' | 'delete'
  user: User
}

const ROLES: readonly Role[] = ['user', 'companyAdmin']

/** System administrators belong to the operator's company, and only a founder makes them. */
function useRoles(companyId: string | null, self: Self): readonly Role[] {
  const colleagues = useUsers(companyId === self.companyId ? companyId : null)
  return isFounder(colleagues.data ?? [], self.userId) ? [...ROLES, 'admin'] : ROLES
}

export function LoginsPage({ company, picker, self }: LoginsPageProps) {
  const [banner, say] = useBanner()
  const companyId = company?.id ?? null
  const users = useUsers(companyId)
  const roles = useRoles(companyId, self)
  return (
    <PageFrame title={texts.loginsTitle} lead={texts.loginsLead}>
      {picker}
      <NewLogin companyId={companyId} roles={roles} />
      <OfCompany company={company} users={users} failed={texts.loadFailed}>
        {(known, { id }) => (
          <Logins companyId={id} users={known} selfId={self.userId} roles={roles} onDone={say} />
        )}
      </OfCompany>
      {banner}
    </PageFrame>
  )
}

interface LoginsProps {
  companyId: string
  users: readonly User[]
  selfId: string
  roles: readonly Role[]
  onDone: (sentence: string) => void
}

function Logins({ companyId, users, selfId, roles, onDone }: LoginsProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <Lists users={users} selfId={selfId} onAsk={setAsked} />
      {asked?.what === 'edit' && (
        <EditLogin
          companyId={companyId}
          user={asked.user}
          self={asked.user.id === selfId}
          roles={roles}
          onSaved={name => onDone(texts.saved(name))}
          onClose={close}
        />
      )}
      {asked?.what === 'delete' && (
        <DeleteLogin
          companyId={companyId}
          user={asked.user}
          onDeleted={() => onDone(texts.removed(asked.user.username))}
          onClose={close}
        />
      )}
    </>
  )
}

interface ListsProps {
  users: readonly User[]
  selfId: string
  onAsk: (asked: Asked) => void
}

function Lists({ users, selfId, onAsk }: ListsProps) {
  const [words, setWords] = useState('')
  const shown = groupsOf(found(users, words))
  const searching = words.trim() !== ''
  const row = (user: User) => <Row key={user.id} user={user} self={user.id === selfId} onAsk={onAsk} />
  const card = (title: string, group: User[], empty: string) =>
    (!searching || group.length > 0) && (
      <ListCard title={title} count={group.length} empty={empty}>
        {group.map(row)}
      </ListCard>
    )
  const nobody = Object.values(shown).every(group => group.length === 0)
  return (
    <div className={classes.group}>
      {users.length > 0 && <PeopleSearch words={words} onWords={setWords} />}
      {searching && nobody && <NobodyFound onShowAll={() => setWords('')} />}
      {shown.admins.length > 0 && card(texts.admins, shown.admins, '')}
      {card(texts.companyAdmins, shown.companyAdmins, texts.noCompanyAdmins)}
      {card(texts.employees, shown.employees, texts.noEmployees)}
    </div>
  )
}

interface RowProps {
  user: User
  self: boolean
  onAsk: (asked: Asked) => void
}

function Row({ user, self, onAsk }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <p className={classes.name}>
          {user.username}
          {user.isLocked === true && <LockedBadge />}
        </p>
        <p className={classes.facts}>
          {user.tagId ? <span className={classes.tag}>{user.tagId}</span> : texts.noTag}
          {self && <span>{texts.yourself}</span>}
        </p>
      </div>
      {protection(user) !== null ? (
        <NoActions user={user} />
      ) : (
        <div className={classes.actions}>
          <Button
            icon={<Pencil size={18} />}
            aria-label={texts.editOf(user.username)}
            onClick={() => onAsk({ what: 'edit', user })}
          >
            {texts.edit}
          </Button>
          {!self && (
            <Button
              icon={<Trash size={18} />}
              aria-label={texts.removeOf(user.username)}
              onClick={() => onAsk({ what: 'delete', user })}
            >
              {texts.remove}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
