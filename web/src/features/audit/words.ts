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
  namelessTexts,
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
  if (say === undefined)
    return subjectName === null ? readable(action) : `${readable(action)} (${subjectName})`
  const name = subjectName ?? named(entry)
  return name === null ? (own(namelessTexts, action) ?? say(texts.unknownPerson)) : say(name)
}

const DECISIONS: Readonly<Record<string, string>> = { book: 'stamps.booked', discard: 'stamps.discarded' }

/** Whom nobody knows any more the entry itself may still name. */
function named({ before, after }: AuditEntry): string | null {
  const name = after?.username ?? before?.username ?? after?.name ?? before?.name
  return typeof name === 'string' && name !== '' ? name : null
}

/** Members that the sentence says already, or that are ids. */
const SAID = new Set(['userId', 'action'])

export function changesOf(entry: AuditEntry): Change[] {
  if (entry.action === 'company.features') return featureChanges(entry)
  const [before, after] = [members(entry.before), members(entry.after)]
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter(name => !SAID.has(name))
    .flatMap((name): Change[] => {
      const label = own(memberTexts, name) ?? readable(name)
      const [was, is] = [before?.[name], after?.[name]]
      if (was === undefined) return [{ label, after: said(name, is) }]
      if (is === undefined) return [{ label, before: said(name, was) }]
      // The same on both sides is no change; only from when a change holds is worth a line.
      if (same(was, is)) return name === 'validFrom' ? [{ label, after: said(name, is) }] : []
      return [{ label, ...told(name, was, is) }]
    })
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Two sides that differ; to the second where they would read the same. */
function told(name: string, was: unknown, is: unknown): { before: string; after: string } {
  const [before, after] = [said(name, was), said(name, is)]
  return before === after ? { before: said(name, was, true), after: said(name, is, true) } : { before, after }
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

export function said(name: string, value: unknown, precise = false): string {
  if (value === null || value === undefined) return nothing(name)
  if (typeof value === 'boolean') return value ? valueTexts.yes : valueTexts.no
  if (name === 'breakMinutes' && typeof value === 'number') return valueTexts.minutes(value)
  if (name === 'users' && Array.isArray(value)) return String(value.length)
  if (Array.isArray(value))
    return value.length === 0 ? valueTexts.nothing : value.map(one => said('', one, precise)).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return spoken(name, String(value), precise)
}

function spoken(name: string, text: string, precise: boolean): string {
  if (name === 'role') return own(roleTexts, text) ?? text
  if (name === 'breakPolicy') return own(breakPolicyTexts, text) ?? text
  if (INSTANT.test(text)) return momentIn(text, precise)
  return DAY.test(text) ? dayIn(text) : text
}

function nothing(name: string): string {
  if (name === 'tag') return valueTexts.nothing
  if (name === 'start' || name === 'end') return valueTexts.open
  return ['username', 'name'].includes(name) ? valueTexts.erased : valueTexts.none
}

/** "21.11.2026" */
export function dayIn(day: string): string {
  return day.replace(DAY, '$3.$2.$1')
}

function momentIn(instant: string, precise: boolean): string {
  const moment = new Date(instant)
  // Every zone's clocks show the same second.
  const seconds = precise ? `:${String(moment.getUTCSeconds()).padStart(2, '0')}` : ''
  return valueTexts.moment(dayIn(dayOf(moment)), timeOf(moment) + seconds)
}
