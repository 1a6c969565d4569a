/** A person in the list of resets: role, lock with its token, second factor, and what can be done. */
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { momentOf } from '../../ui/days'
import { Key, Lock, Unlock } from '../../ui/icons'
import { texts as uiTexts } from '../../ui/texts'
import { LockedBadge, NoActions, RoleBadge } from './parts'
import classes from './parts.module.css'
import { protection, type User } from './people'
import type { Action } from './ResetDialog'
import { texts } from './texts'

interface ResetRowProps {
  user: User
  self: boolean
  onAct: (action: Action) => void
}

export function ResetRow({ user, self, onAct }: ResetRowProps) {
  const locked = user.isLocked === true
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <p className={classes.name}>
          {user.username}
          <RoleBadge user={user} />
          {locked && <LockedBadge />}
        </p>
        <Facts user={user} />
      </div>
      {self || protection(user) !== null ? (
        <NoActions user={user} />
      ) : (
        <div className={classes.actions}>
          {/* One and the same button before and after, so that the focus stays on it. */}
          <Act
            action={locked ? 'unlock' : 'reset'}
            label={locked ? texts.unlockOf(user.username) : texts.resetOf(user.username)}
            icon={locked ? Unlock : Key}
            broad={locked}
            onAct={onAct}
          />
          {!locked && <Act action="lock" label={texts.lockOf(user.username)} icon={Lock} onAct={onAct} />}
          {user.secondFactor != null && (
            <Act action="factor" label={texts.factorOf(user.username)} onAct={onAct} broad />
          )}
        </div>
      )}
      {locked && user.lockToken && (
        <div className={classes.below}>
          <p className={classes.facts}>{texts.lockToken}</p>
          <Copyable text={user.lockToken} label={texts.lockTokenOf(user.username)} />
        </div>
      )}
    </li>
  )
}

function Facts({ user }: { user: User }) {
  const until = user.resetExpiresAt ?? null
  const factor = user.secondFactor ?? null
  if (until === null && factor === null) return null
  return (
    <p className={classes.facts}>
      {until !== null && <span>{texts.resetUntil(uiTexts.clock(momentOf(new Date(until))))}</span>}
      {factor !== null && (
        <span>
          {texts.secondFactor} {texts.factors[factor]}
        </span>
      )}
    </p>
  )
}

interface ActProps {
  action: Action
  /** Of whom, for who does not see the row. */
  label: string
  icon?: typeof Key
  broad?: boolean
  onAct: (action: Action) => void
}

function Act({ action, label, icon: Icon, broad = false, onAct }: ActProps) {
  return (
    <Button
      icon={Icon === undefined ? undefined : <Icon size={18} />}
      className={broad ? (classes.broad ?? '') : ''}
      aria-label={label}
      onClick={() => onAct(action)}
    >
      {texts[action]}
    </Button>
  )
}
