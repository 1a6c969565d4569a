/**
 * An entry of the log in words: a sentence, and what was before and is after. Pure.
 *
 * An action that it does not know keeps its dotted word, made readable; nothing of an entry is left out.
 */
import type { components } from '../../api/schema'
import { dayOf, timeOf } from '../../ui/days'
import {
  breakPolicyTexts,
  featureTexts,
  groupTexts,
  kindTexts,
  memberTexts,
  roleTexts,
  sentenceTexts,
  texts,
  valueTexts,
} from './texts'

export type AuditEntry = components['schemas']['AuditRow']

export interface Change {
  label: string
  /** Undefined: there is no such side, so no arrow either. */
  before?: string
  after?: string
}

type Members = Readonly<Record<string, unknown>>

/** "stamps.tag_given" is "stamps: tag given". */
export function readable(action: string): string {
  return action.replace(/\.$/, '').replaceAll('.', ': ').replaceAll('_', ' ')
}

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

export function kindOf(action: string): string {
  return own(kindTexts, action) ?? readable(action)
}

export function groupOf(action: string): string {
  const group = action.split('.')[0] ?? action
  return own(groupTexts, group) ?? readable(group)
}

export function actorOf({ actor, actorName }: AuditEntry): string {
  return actor === null ? texts.installation : (actorName ?? texts.unknownPerson)
}

export function sentenceOf(entry: AuditEntry): string {
  const { action, subjectName, after } = entry
  const decided = action === 'stamps.resolved' ? own(DECISIONS, String(after?.action)) : undefined
  const say = own(sentenceTexts, decided ?? action)
  if (say !== undefined) return say(subjectName ?? (named(entry) || nobody(action)))
  return subjectName === null ? readable(action) : `${readable(action)} (${subjectName})`
}

const DECISIONS: Readonly<Record<string, string>> = { book: 'stamps.booked', discard: 'stamps.discarded' }

/** Whom nobody knows any more the entry itself may still name. */
function named({ before, after }: AuditEntry): string {
  const name = after?.username ?? before?.username ?? after?.name ?? before?.name
  return typeof name === 'string' ? name : ''
}

function nobody(action: string): string {
  return /^(device|stamps\.released)/.test(action) ? valueTexts.someDevice : texts.unknownPerson
}

/** Members that the sentence says already, or that are ids. */
const SAID = new Set(['userId', 'action'])

export function changesOf(entry: AuditEntry): Change[] {
  const { action } = entry
  if (action === 'company.features') return featureChanges(entry)
  const [before, after] = [members(entry.before), members(entry.after)]
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter(name => !SAID.has(name))
    .flatMap(name => {
      const change: Change = { label: own(memberTexts, name) ?? readable(name) }
      if (before !== null && name in before) change.before = said(name, before[name])
      if (after !== null && name in after) change.after = said(name, after[name])
      return change.before !== undefined && change.before === change.after && name !== 'validFrom'
        ? []
        : [once(change)]
    })
}

/** The same on both sides is said once. */
function once(change: Change): Change {
  return change.before === change.after && change.after !== undefined
    ? { label: change.label, after: change.after }
    : change
}

const members = (side: AuditEntry['before']): Members | null => side

function featureChanges({ before, after }: AuditEntry): Change[] {
  const [was, became] = [keys(before), keys(after)]
  const label = (key: string) => own(featureTexts, key) ?? readable(key)
  const change = (name: 'added' | 'removed', some: string[]): Change[] =>
    some.length === 0 ? [] : [{ label: memberTexts[name] ?? name, after: some.map(label).join(', ') }]
  return [
    ...change(
      'added',
      became.filter(key => !was.includes(key)),
    ),
    ...change(
      'removed',
      was.filter(key => !became.includes(key)),
    ),
  ]
}

function keys(side: AuditEntry['before']): string[] {
  const list = side?.features
  return Array.isArray(list) ? list.filter(key => typeof key === 'string') : []
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

export function said(name: string, value: unknown): string {
  if (value === null || value === undefined) return nothing(name)
  if (typeof value === 'boolean') return value ? valueTexts.yes : valueTexts.no
  if (name === 'breakMinutes' && typeof value === 'number') return valueTexts.minutes(value)
  if (name === 'users' && Array.isArray(value)) return String(value.length)
  if (Array.isArray(value))
    return value.length === 0 ? valueTexts.nothing : value.map(one => said('', one)).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return spoken(name, String(value))
}

function spoken(name: string, text: string): string {
  if (name === 'role') return own(roleTexts, text) ?? text
  if (name === 'breakPolicy') return own(breakPolicyTexts, text) ?? text
  if (INSTANT.test(text)) return momentIn(text)
  return DAY.test(text) ? dayIn(text) : text
}

function nothing(name: string): string {
  if (name === 'tag') return valueTexts.noTag
  if (name === 'start' || name === 'end') return valueTexts.open
  return ['username', 'name'].includes(name) ? valueTexts.erased : valueTexts.none
}

/** "21.11.2026" */
export function dayIn(day: string): string {
  return day.replace(DAY, '$3.$2.$1')
}

function momentIn(instant: string): string {
  const moment = new Date(instant)
  return valueTexts.moment(dayIn(dayOf(moment)), timeOf(moment))
}
