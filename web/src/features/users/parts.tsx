/** What both pages of people are made of: a person's badges, the list's frame, its search, its empty and failed states. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { sentenceOf } from '../../api/failures'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { DialogButtons, useFocusOnShow } from '../../ui/Dialog'
import { TextField } from '../../ui/fields'
import { useFocusPassedOn } from '../../ui/focus'
import { Lock, People, Search, Shield } from '../../ui/icons'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import classes from './parts.module.css'
import { protection, roleName, type User } from './people'
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

/** In place of actions: why there are none. */
export function NoActions({ user }: { user: User }) {
  const word = protection(user)
  return (
    <p className={classes.why}>
      <Shield size={18} />
      {word === null ? texts.yourself : texts.protectedEdit(word)}
    </p>
  )
}

/** Leaves a dialog that shows what came of it. The focus goes to it, since what asked for it is gone. */
export function Done({ onClose }: { onClose: () => void }) {
  const button = useFocusOnShow<HTMLButtonElement>()
  return (
    <DialogButtons>
      <Button ref={button} look="primary" onClick={onClose}>
        {texts.done}
      </Button>
    </DialogButtons>
  )
}

interface ListCardProps {
  title: string
  count: number
  empty: string
  children: ReactNode
}

export function ListCard({ title, count, empty, children }: ListCardProps) {
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.count}>{count}</span>
      </div>
      {count === 0 ? <p className={classes.none}>{empty}</p> : <ul className={classes.list}>{children}</ul>}
    </section>
  )
}

interface PeopleSearchProps {
  words: string
  onWords: (words: string) => void
}

export function PeopleSearch({ words, onWords }: PeopleSearchProps) {
  return (
    <TextField
      className={classes.search ?? ''}
      type="search"
      label={texts.search}
      placeholder={texts.searchHint}
      value={words}
      onChange={onWords}
      leftSection={<Search size={18} />}
      autoComplete="off"
    />
  )
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

/** The chosen company; null: none is chosen; undefined: that is not known yet. */
export type Chosen<Company> = Company | null | undefined

interface PeopleProps<Company> {
  company: Chosen<Company>
  users: UseQueryResult<User[]>
  failed: string
  /** Begins anew with every company: no question outlives the one it was asked under. */
  children: (users: User[], company: Company) => ReactNode
}

/** The content once it is known of whom, and who they are. */
export function OfCompany<Company extends { id: string }>({
  company,
  users,
  failed,
  children,
}: PeopleProps<Company>) {
  if (company === undefined) return <PeopleSkeleton />
  if (company === null) {
    return <EmptyState picture={<People size={40} strokeWidth={1.6} />} sentence={texts.pickFirst} />
  }
  if (users.data !== undefined) {
    return <Fragment key={company.id}>{children(users.data, company)}</Fragment>
  }
  if (users.error !== null) {
    return (
      <ErrorState
        title={failed}
        detail={sentenceOf(users.error, failed)}
        busy={users.isFetching}
        onRetry={users.refetch}
      />
    )
  }
  return <PeopleSkeleton />
}

const ROWS = [46, 62, 38, 54]

function PeopleSkeleton() {
  return (
    <Loading>
      <div className={classes.card}>
        <div className={classes.head}>
          <Skeleton width={180} height={20} />
        </div>
        {ROWS.map(width => (
          <div key={width} className={classes.row}>
            <Skeleton width={`${width}%`} height={20} />
            <Skeleton width={96} height={40} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
