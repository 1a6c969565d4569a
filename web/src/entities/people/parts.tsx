/** Components of pages about people: badges, reasons for missing actions, search. */
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { SearchInput } from '../../ui/fields'
import { useFocusPassedOn } from '../../ui/focus'
import { Lock, Shield } from '../../ui/icons'
import { EmptyState } from '../../ui/states'
import classes from './parts.module.css'
import { matches, protection, roleName, type User } from './people'
import { texts } from './texts'

export function RoleBadge({ user }: { user: User }) {
  return <Badge icon={user.role === 'user' ? undefined : <Shield size={16} />}>{roleName(user)}</Badge>
}

export function LockedBadge() {
  return (
    <Badge tone="warn" icon={<Lock size={16} />}>
      <span className={classes.locked}>{texts.locked}</span>
    </Badge>
  )
}

/** The reason for missing actions, in their place. */
export function NoActions({ user }: { user: User }) {
  const word = protection(user)
  return (
    <p className={classes.why}>
      <Shield size={18} />
      {word === null ? texts.yourself : texts.protectedEdit(word)}
    </p>
  )
}

export function PeopleSearch({ words, onWords }: { words: string; onWords: (words: string) => void }) {
  return (
    <SearchInput
      className={classes.search ?? ''}
      label={texts.search}
      placeholder={texts.searchHint}
      value={words}
      onChange={onWords}
    />
  )
}

/** The search of a table of people. */
export const searchOfPeople = {
  label: texts.search,
  hint: texts.searchHint,
  matches,
  nothing: (clear: () => void) => <NobodyFound onShowAll={clear} />,
}

export function NobodyFound({ onShowAll }: { onShowAll: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <EmptyState
      sentence={texts.nobodyFound}
      action={
        <Button ref={button} onClick={onShowAll}>
          {texts.showAll}
        </Button>
      }
    />
  )
}
