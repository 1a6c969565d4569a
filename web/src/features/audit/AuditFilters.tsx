/** Filters by person, kind and days. */
import { usePeople } from '../../entities/people/usePeople'
import { byAlphabet } from '../../ui/alphabet'
import { Button } from '../../ui/Button'
import { DayInput } from '../../ui/dates'
import { useFocusPassedOn } from '../../ui/focus'
import { Select } from '../../ui/Select'
import classes from './AuditPage.module.css'
import { texts } from './texts'
import { type Filter, isReversed, NO_FILTER, useKinds } from './useAudit'
import { type AuditEntry, actorOf, type Words } from './words'

interface AuditFiltersProps {
  companyId: string
  filter: Filter
  onFilter: (filter: Filter) => void
  /** The shown entries: their actors can be chosen, even if they are not among the company's people. */
  seen: readonly AuditEntry[]
  words: Words
  /** Whether the reset button is here, and not below. */
  clearable: boolean
}

export function AuditFilters({ companyId, filter, onFilter, seen, words, clearable }: AuditFiltersProps) {
  const kinds = useKinds(companyId)
  const people = usePeople(companyId)
  const set = (part: Partial<Filter>) => {
    const next = { ...filter, ...part }
    onFilter(Object.values(next).every(value => value === '') ? NO_FILTER : next)
  }
  return (
    <form className={classes.filters} aria-label={texts.filters} onSubmit={event => event.preventDefault()}>
      <Select
        label={texts.person}
        value={filter.actor}
        onChange={actor => set({ actor })}
        data={[{ value: '', label: texts.anybody }, ...actors(people.data ?? [], seen)]}
      />
      <Select
        label={texts.kind}
        value={filter.action}
        onChange={action => set({ action })}
        data={[{ value: '', label: texts.anything }, ...kindGroups(kinds.data ?? [], words)]}
      />
      <DayInput
        label={texts.from}
        value={filter.from}
        onChange={from => set({ from })}
        error={isReversed(filter) && texts.reversed}
      />
      <DayInput label={texts.to} value={filter.to} onChange={to => set({ to })} />
      {filter !== NO_FILTER && clearable && (
        <ClearFilter className={classes.clear ?? ''} plain onClear={() => onFilter(NO_FILTER)} />
      )}
    </form>
  )
}

interface ClearFilterProps {
  className?: string
  plain?: boolean
  onClear: () => void
}

/** It disappears when it is pressed: then there is nothing to clear. */
export function ClearFilter({ className = '', plain = false, onClear }: ClearFilterProps) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} look={plain ? 'plain' : 'secondary'} className={className} onClick={onClear}>
      {texts.clear}
    </Button>
  )
}

interface Option {
  value: string
  label: string
}

function actors(people: readonly { id: string; username: string }[], seen: readonly AuditEntry[]): Option[] {
  const nameById = new Map(people.map(({ id, username }) => [id, username]))
  for (const entry of seen) {
    if (entry.actor !== null && !nameById.has(entry.actor)) nameById.set(entry.actor, actorOf(entry))
  }
  return [...nameById]
    .map(([value, label]) => ({ value, label }))
    .sort((a, b) => byAlphabet(a.label, b.label))
}

/** Each group can also be chosen as a whole. */
function kindGroups(kinds: readonly string[], words: Words): { group: string; items: Option[] }[] {
  const groups: Record<string, string[]> = {}
  for (const action of kinds) {
    const prefix = action.split('.')[0] ?? action
    groups[prefix] = [...(groups[prefix] ?? []), action]
  }
  return Object.entries(groups).map(([prefix, actions]) => ({
    group: words.groupOf(prefix),
    items: [
      ...(actions.length > 1 ? [{ value: `${prefix}.`, label: texts.allOf(words.groupOf(prefix)) }] : []),
      ...actions.map(action => ({ value: action, label: words.kindOf(action) })),
    ],
  }))
}
