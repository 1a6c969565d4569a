/**
 * An entry of the log in words: a sentence, with values before and after. Pure.
 *
 * The words come from the features. An unknown action keeps its dotted name in readable form; no part of an entry is
 * omitted.
 */
import type { components } from '../../api/schema'
import { dayOf, timeOf } from '../../ui/days'
import type { AuditWords } from '../feature'
import { memberTexts, texts, valueTexts } from './texts'

export type AuditEntry = components['schemas']['AuditRow']

export interface Change {
  label: string
  /** Undefined: without this side, and so without an arrow. */
  before?: string
  after?: string
}

type Members = Readonly<Record<string, unknown>>

/** "stamps.tag_given" is "stamps: tag given". */
export function readable(action: string): string {
  return action.replace(/\.$/, '').replaceAll('.', ': ').replaceAll('_', ' ')
}

const ownValue = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

export function actorOf({ actor, actorName }: AuditEntry): string {
  return actor === null ? texts.installation : (actorName ?? texts.unknownPerson)
}

/** The name of a deleted subject, if the entry itself contains it. */
function nameIn({ before, after }: AuditEntry): string | null {
  const name = after?.username ?? before?.username ?? after?.name ?? before?.name
  return typeof name === 'string' && name !== '' ? name : null
}

/** Members already in the sentence, and ids. */
const OMITTED_MEMBERS = new Set(['userId', 'action'])

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const members = (side: AuditEntry['before']): Members | null => side

function keys(side: AuditEntry['before']): string[] {
  const list = side?.features
  return Array.isArray(list) ? list.filter(key => typeof key === 'string') : []
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

function emptyText(name: string): string {
  if (name === 'tag') return valueTexts.nothing
  if (name === 'start' || name === 'end') return valueTexts.open
  return ['username', 'name'].includes(name) ? valueTexts.erased : valueTexts.none
}

/** "21.11.2026" */
function dayIn(day: string): string {
  return day.replace(DAY, '$3.$2.$1')
}

function momentIn(instant: string, precise: boolean): string {
  const moment = new Date(instant)
  // All zones share the seconds.
  const seconds = precise ? `:${String(moment.getUTCSeconds()).padStart(2, '0')}` : ''
  return valueTexts.moment(dayIn(dayOf(moment)), timeOf(moment) + seconds)
}

/** Describes entries in the words of all features. */
export class Words {
  private readonly groups: NonNullable<AuditWords['groups']>
  private readonly actions: NonNullable<AuditWords['actions']>
  private readonly members: NonNullable<AuditWords['members']>
  private readonly values: NonNullable<AuditWords['values']>

  constructor(all: readonly AuditWords[]) {
    this.groups = Object.assign({}, ...all.map(({ groups }) => groups))
    this.actions = Object.assign({}, ...all.map(({ actions }) => actions))
    this.members = Object.assign({}, memberTexts, ...all.map(({ members }) => members))
    this.values = Object.assign({}, ...all.map(({ values }) => values))
  }

  kindOf(action: string): string {
    return ownValue(this.actions, action)?.kind ?? readable(action)
  }

  /** The actions whose filter label contains this text. */
  actionsCalled(text: string): string[] {
    const needle = text.toLocaleLowerCase('de')
    return Object.keys(this.actions).filter(action =>
      this.kindOf(action).toLocaleLowerCase('de').includes(needle),
    )
  }

  groupOf(action: string): string {
    const group = action.split('.')[0] ?? action
    return ownValue(this.groups, group) ?? readable(group)
  }

  sentenceOf(entry: AuditEntry): string {
    const { action, subjectName } = entry
    const words = ownValue(this.actions, action)
    if (words === undefined)
      return subjectName === null ? readable(action) : `${readable(action)} (${subjectName})`
    const name = subjectName ?? nameIn(entry)
    if (name === null && words.nameless !== undefined) return words.nameless
    return words.sentence(name ?? texts.unknownPerson, entry.after)
  }

  changesOf(entry: AuditEntry): Change[] {
    if (entry.action === 'company.features') return this.moduleChanges(entry)
    const [before, after] = [members(entry.before), members(entry.after)]
    // The new object's name is in the sentence.
    const subject = entry.subjectName ?? nameIn(entry)
    const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    return names
      .filter(name => !OMITTED_MEMBERS.has(name))
      .flatMap((name): Change[] => {
        const label = ownValue(this.members, name) ?? readable(name)
        const [was, is] = [before?.[name], after?.[name]]
        if (was === undefined) return is === subject ? [] : [{ label, after: this.said(name, is) }]
        if (is === undefined) return [{ label, before: this.said(name, was) }]
        // Equal sides are no change; only the effective date of a change gets a line.
        if (isSame(was, is)) return name === 'validFrom' ? [{ label, after: this.said(name, is) }] : []
        return [{ label, ...this.told(name, was, is) }]
      })
  }

  /** Two different sides; with seconds where they would look the same. */
  private told(name: string, was: unknown, is: unknown): { before: string; after: string } {
    const [before, after] = [this.said(name, was), this.said(name, is)]
    return before === after
      ? { before: this.said(name, was, true), after: this.said(name, is, true) }
      : { before, after }
  }

  private moduleChanges({ before, after }: AuditEntry): Change[] {
    const [was, became] = [keys(before), keys(after)]
    const change = (name: 'added' | 'removed', some: string[]): Change[] =>
      some.length === 0
        ? []
        : [
            {
              label: memberTexts[name] ?? name,
              after: some.map(key => this.spoken('features', key, false)).join(', '),
            },
          ]
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

  private said(name: string, value: unknown, precise = false): string {
    if (value === null || value === undefined || value === '') return emptyText(name)
    if (typeof value === 'boolean') return value ? valueTexts.yes : valueTexts.no
    if (name === 'breakMinutes' && typeof value === 'number') return valueTexts.minutes(value)
    if (name === 'users' && Array.isArray(value)) return String(value.length)
    if (Array.isArray(value))
      return value.length === 0
        ? valueTexts.nothing
        : value.map(one => this.said(name, one, precise)).join(', ')
    if (typeof value === 'object') return JSON.stringify(value)
    return this.spoken(name, String(value), precise)
  }

  private spoken(name: string, text: string, precise: boolean): string {
    const word = ownValue(ownValue(this.values, name) ?? {}, text)
    if (word !== undefined) return word
    if (INSTANT.test(text)) return momentIn(text, precise)
    if (DAY.test(text)) return dayIn(text)
    return name === 'features' ? readable(text) : text
  }
}
