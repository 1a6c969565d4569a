/**
 * An action on one person: confirmation, execution, outcome. A new password is shown only once, so only its dialog's
 * own button closes it; a lock's token is copied at once and is in the list as well.
 */
import type { components } from '../../api/schema'
import type { User } from '../../entities/people/people'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Copyable } from '../../ui/Copyable'
import { DoneButton } from '../../ui/Dialog'
import { momentOf } from '../../ui/days'
import { Lock as LockIcon } from '../../ui/icons'
import { texts as uiTexts } from '../../ui/texts'
import { texts } from './texts'
import { type Lock, useDropFactor, useLock, useReset } from './useUsers'

export type Action = 'reset' | 'unlock' | 'lock' | 'factor'

interface ResetDialogProps {
  companyId: string
  user: User
  action: Action
  /** For actions without a visible result. */
  onDone: (sentence: string) => void
  onClose: () => void
}

export function ResetDialog({ action, ...rest }: ResetDialogProps) {
  if (action === 'lock') return <LockDialog {...rest} />
  if (action === 'factor') return <FactorDialog {...rest} />
  return <PasswordDialog {...rest} unlocks={action === 'unlock'} />
}

type Reset = components['schemas']['ResetRow']

type PartProps = Omit<ResetDialogProps, 'action'>

function PasswordDialog({ companyId, user, unlocks, onClose }: PartProps & { unlocks: boolean }) {
  const resetting = useReset(companyId, user.id)
  const name = user.username
  return (
    <ConfirmDialog
      title={unlocks ? texts.unlockQuestion(name) : texts.resetQuestion(name)}
      consequences={unlocks ? texts.unlockConsequences : texts.resetConsequences}
      confirm={unlocks ? texts.unlock : texts.reset}
      acting={resetting}
      onClose={onClose}
      answer={reset => ({
        title: texts.newPassword(name),
        stays: true,
        content: <NewPassword name={name} reset={reset} onClose={onClose} />,
      })}
    />
  )
}

function NewPassword({ name, reset, onClose }: { name: string; reset: Reset; onClose: () => void }) {
  return (
    <>
      <Copyable large text={reset.password} label={texts.passwordOf(name)} />
      <p>{texts.newPasswordHint(uiTexts.clock(momentOf(new Date(reset.expiresAt))))}</p>
      <p>
        <strong>{texts.shownOnce}</strong>
      </p>
      <DoneButton onClose={onClose} />
    </>
  )
}

function LockDialog({ companyId, user, onClose }: PartProps) {
  const locking = useLock(companyId, user.id)
  const name = user.username
  return (
    <ConfirmDialog
      title={texts.lockQuestion(name)}
      consequences={texts.lockConsequences}
      confirm={texts.lock}
      danger={<LockIcon size={18} />}
      acting={locking}
      onClose={onClose}
      answer={lock => ({
        title: texts.lockedNow(name),
        content: <LockedNow name={name} lock={lock} onClose={onClose} />,
      })}
    />
  )
}

function LockedNow({ name, lock, onClose }: { name: string; lock: Lock; onClose: () => void }) {
  return (
    <>
      {lock.copied && <p role="status">{texts.tokenCopied}</p>}
      <Copyable
        text={lock.token}
        label={texts.lockTokenOf(name)}
        already={lock.copied ? 'copied' : 'failed'}
      />
      <p>{texts.lockedHint}</p>
      <DoneButton onClose={onClose} />
    </>
  )
}

function FactorDialog({ companyId, user, onDone, onClose }: PartProps) {
  const dropping = useDropFactor(companyId, user.id)
  return (
    <ConfirmDialog
      title={texts.factorQuestion(user.username)}
      consequences={texts.factorConsequences}
      confirm={texts.reset}
      acting={dropping}
      done={() => onDone(texts.factorDone(user.username))}
      onClose={onClose}
    />
  )
}
