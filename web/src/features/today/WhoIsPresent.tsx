/**
 * Presence: three numbers that filter the list, and all people in lines of their own, missing people first. A large
 * company shows only the first ones, so that the waiting items stay near.
 */
import { memo, useState } from 'react'
import type { components } from '../../api/schema'
import { Name, useLeads } from '../../entities/people/PersonLink'
import type { Today } from '../../entities/today/useToday'
import { Button } from '../../ui/Button'
import { Alert, Check, Question } from '../../ui/icons'
import { Section } from '../../ui/layout'
import { useWide } from '../../ui/useWide'
import { freezeOrder, type Placed } from './freezeOrder'
import { texts } from './texts'
import classes from './today.module.css'

const KINDS = ['missing', 'unexpected', 'present'] as const
type Kind = (typeof KINDS)[number]
type Person = components['schemas']['TodaysPerson'] & { kind: Kind }

const ICONS = { missing: Alert, unexpected: Question, present: Check } as const
/** The number that fits on a screen in two columns, or above the waiting items on a phone. */
const MOST_SHOWN = { wide: 40, narrow: 12 }
const keyOf = (person: Person) => person.userId

export function peopleOf(today: Today): Person[] {
  return KINDS.flatMap(kind => (today[kind] ?? []).map(person => ({ ...person, kind })))
}

export function WhoIsPresent({ today }: { today: Today }) {
  const [wanted, setWanted] = useState<Kind | null>(null)
  const people = peopleOf(today)
  const matchingPeople = people.filter(({ kind }) => wanted === null || kind === wanted)
  const [all, setAll] = useState(false)
  const leads = useLeads()
  const mostShown = useWide() ? MOST_SHOWN.wide : MOST_SHOWN.narrow
  const { rows, holding } = useFrozenOrder(
    all || wanted !== null ? matchingPeople : matchingPeople.slice(0, mostShown),
  )
  return (
    <Section title={texts.who}>
      <div className={classes.numbers}>
        {KINDS.map(kind => (
          <button
            key={kind}
            type="button"
            className={classes.number}
            data-kind={kind}
            aria-pressed={wanted === kind}
            onClick={() => setWanted(wanted === kind ? null : kind)}
          >
            <strong>{today[kind]?.length ?? 0}</strong>
            {texts[kind]}
          </button>
        ))}
      </div>
      {rows.length === 0 ? (
        <p className="muted">{people.length === 0 ? texts.nobody : texts.none}</p>
      ) : (
        <ul className={classes.people} aria-label={texts.who} {...holding}>
          {rows.map(({ row, gone }) => (
            <Row key={row.userId} person={row} gone={gone} leads={leads} />
          ))}
        </ul>
      )}
      {wanted === null && matchingPeople.length > mostShown && (
        <Button look="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? texts.fewer : texts.everybody(matchingPeople.length)}
        </Button>
      )}
    </Section>
  )
}

interface RowProps {
  person: Person
  gone: boolean
  leads: boolean
}

/** Memoized: a stamp re-renders only its own row. */
const Row = memo(function Row({ person, gone, leads }: RowProps) {
  const Icon = ICONS[person.kind]
  return (
    <li className={classes.person} data-kind={person.kind} data-gone={gone || undefined}>
      <Icon size={16} />
      <span className="visually-hidden">{gone ? texts.gone : texts[person.kind]}</span>
      <span className={classes.name}>
        <Name userId={person.userId} username={person.username} leads={leads} />
      </span>
      <span className={classes.place}>{person.clockName}</span>
      <span className={classes.when}>{timesOf(person)}</span>
    </li>
  )
}, sameRow)

function sameRow(one: RowProps, other: RowProps): boolean {
  const parts = Object.keys(one.person) as (keyof Person)[]
  return (
    one.gone === other.gone &&
    one.leads === other.leads &&
    parts.every(part => one.person[part] === other.person[part])
  )
}

/** Present: since when, and planned until when; gone: from when to when; missing: their duty. */
function timesOf({ kind, start, end, plannedEnd }: Person): string {
  const from = start ?? '…'
  if (kind === 'missing' && start === null && end === null) return texts.untimed
  if (kind === 'missing') return end === null ? texts.due(from) : texts.worked(from, end)
  if (end !== null) return texts.worked(from, end)
  return plannedEnd === null ? texts.since(from) : `${texts.since(from)} · ${texts.until(plannedEnd)}`
}

/** Freezes the rows while the pointer is over the list; changes apply when it leaves. */
function useFrozenOrder(shown: readonly Person[]) {
  const [held, hold] = useState<readonly Placed<Person>[] | null>(null)
  const rows = freezeOrder(held, shown, keyOf)
  const keep = held !== null && rows.length > held.length
  // New rows keep their places, too.
  if (keep) hold(rows)
  return {
    rows,
    holding: { onPointerEnter: () => hold(rows), onPointerLeave: () => hold(null) },
  }
}
