/** "Passwort zurücksetzen": new passwords, locks and second factors of a company's people. */
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useBanner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { Refresh } from '../../ui/icons'
import { PageFrame } from '../../ui/PageFrame'
import { EmptyState } from '../../ui/states'
import { type Chosen, ListCard, NobodyFound, OfCompany, PeopleSearch } from './parts'
import classes from './parts.module.css'
import { found, protection, type User } from './people'
import { ResetAll } from './ResetAll'
import { type Action, ResetDialog } from './ResetDialog'
import { ResetRow } from './ResetRow'
import { texts } from './texts'
import { useUsers } from './useUsers'

interface Company {
  id: string
  name: string
}

interface ResetPageProps {
  company: Chosen<Company>
  picker: ReactNode
  /** Where a company's logins are made. */
  loginsOf: (companyId: string) => string
  /** The caller: nobody resets or locks themselves here. */
  selfId: string
}

interface Asked {
  action: Action
  user: User
}

export function ResetPage({ company, picker, loginsOf, selfId }: ResetPageProps) {
  const [banner, say] = useBanner()
  const users = useUsers(company?.id ?? null)
  return (
    <PageFrame title={texts.resetTitle} lead={texts.resetLead}>
      {picker}
      <OfCompany company={company} users={users} failed={texts.listFailed}>
        {(known, chosen) => (
          <Resets
            company={chosen}
            users={known}
            toLogins={loginsOf(chosen.id)}
            selfId={selfId}
            onDone={say}
          />
        )}
      </OfCompany>
      {banner}
    </PageFrame>
  )
}

interface ResetsProps extends Pick<PeopleProps, 'users' | 'toLogins' | 'selfId'> {
  company: Company
  onDone: (sentence: string) => void
}

function Resets({ company, onDone, ...people }: ResetsProps) {
  const [asked, setAsked] = useState<Asked | 'all' | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <People {...people} onAsk={setAsked} onAll={() => setAsked('all')} />
      {asked === 'all' && <ResetAll company={company} onClose={close} />}
      {asked !== null && asked !== 'all' && (
        <ResetDialog
          companyId={company.id}
          user={asked.user}
          action={asked.action}
          onDone={onDone}
          onClose={close}
        />
      )}
    </>
  )
}

interface PeopleProps {
  users: readonly User[]
  toLogins: string
  selfId: string
  onAsk: (asked: Asked) => void
  onAll: () => void
}

function People({ users, toLogins, selfId, onAsk, onAll }: PeopleProps) {
  const [words, setWords] = useState('')
  if (users.length === 0) {
    return <EmptyState sentence={texts.nobody} action={<Link to={toLogins}>{texts.newLogin}</Link>} />
  }
  const shown = found(users, words)
  const anybody = users.some(user => user.id !== selfId && protection(user) === null)
  return (
    <div className={classes.group}>
      <div className={classes.tools}>
        <PeopleSearch words={words} onWords={setWords} />
        {anybody && (
          <Button icon={<Refresh size={18} />} onClick={onAll}>
            {texts.all}
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <NobodyFound onShowAll={() => setWords('')} />
      ) : (
        <ListCard title={texts.people} count={shown.length} empty={texts.nobody}>
          {shown.map(user => (
            <ResetRow
              key={user.id}
              user={user}
              self={user.id === selfId}
              onAct={action => onAsk({ action, user })}
            />
          ))}
        </ListCard>
      )}
    </div>
  )
}
