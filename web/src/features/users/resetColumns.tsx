/** The columns of the list of resets: role, lock with its token, second factor, and actions. */
import { LockedBadge, NoActions, RoleBadge } from '../../entities/people/parts'
import { protection, type User } from '../../entities/people/people'
import type { Column } from '../../patterns/table/DataTable'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { momentOf } from '../../ui/days'
import { Key, Lock, Shield, Unlock } from '../../ui/icons'
import { RowMenu } from '../../ui/RowMenu'
import { texts as uiTexts } from '../../ui/texts'
import classes from './people.module.css'
import type { Action } from './ResetDialog'
import { texts } from './texts'

type Ask = (asked: { action: Action; user: User }) => void

export function resetColumns(selfId: string, onAsk: Ask): Column<User>[] {
  return [
    {
      key: 'name',
      head: texts.username,
      names: true,
      sortBy: user => user.username,
      cell: user => <Person user={user} />,
    },
    {
      key: 'acts',
      head: texts.actions,
      acts: true,
      cell: user =>
        user.id === selfId || protection(user) !== null ? (
          <NoActions user={user} />
        ) : (
          <Acts user={user} onAct={action => onAsk({ action, user })} />
        ),
    },
  ]
}

function Person({ user }: { user: User }) {
  const locked = user.isLocked === true
  return (
    <div className={classes.person}>
      <span className={classes.name}>
        {user.username}
        <RoleBadge user={user} />
        {locked && <LockedBadge />}
      </span>
      <Facts user={user} />
      {locked && user.lockToken && (
        <div className={classes.token}>
          <span className={classes.facts}>{texts.lockToken}</span>
          <Copyable text={user.lockToken} label={texts.lockTokenOf(user.username)} />
        </div>
      )}
    </div>
  )
}

function Facts({ user }: { user: User }) {
  const expiresAt = user.resetExpiresAt ?? null
  const factor = user.secondFactor ?? null
  if (expiresAt === null && factor === null) return null
  return (
    <span className={classes.facts}>
      {expiresAt !== null && <span>{texts.resetUntil(uiTexts.clock(momentOf(new Date(expiresAt))))}</span>}
      {factor !== null && (
        <span>
          {texts.secondFactor} {texts.factors[factor]}
        </span>
      )}
    </span>
  )
}

function Acts({ user, onAct }: { user: User; onAct: (action: Action) => void }) {
  const locked = user.isLocked === true
  return (
    <div className={classes.three}>
      {/* The same button before and after, so that it keeps the focus. */}
      <Button
        icon={locked ? <Unlock size={18} /> : <Key size={18} />}
        aria-label={locked ? texts.unlockOf(user.username) : texts.resetOf(user.username)}
        onClick={() => onAct(locked ? 'unlock' : 'reset')}
      >
        {locked ? texts.unlock : texts.reset}
      </Button>
      {locked ? (
        <span />
      ) : (
        <Button
          icon={<Lock size={18} />}
          aria-label={texts.lockOf(user.username)}
          onClick={() => onAct('lock')}
        >
          {texts.lock}
        </Button>
      )}
      {user.secondFactor != null && (
        <RowMenu
          name={user.username}
          entries={[{ label: texts.factor, icon: <Shield size={18} />, onPress: () => onAct('factor') }]}
        />
      )}
    </div>
  )
}
