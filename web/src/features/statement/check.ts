/**
 * Verifies a statement of a month, and reads it: the same rules as the service's own checker (`domain/statement.py`),
 * tested against `cloud/tests/office/statement_vectors.json`.
 *
 * A statement is canonical JSON (RFC 8785) of objects, arrays, strings, integers, booleans and null. Its signature
 * (Ed25519) is over the canonical form of everything but the member `signature`, so that exactly one sequence of bytes
 * is genuine. The valid keys are an argument: the file never supplies one.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { bytesOf, textOf } from './base64url'

export type Bytes = Uint8Array<ArrayBuffer>
export type Verify = (signature: Bytes, message: Bytes) => Promise<boolean>
export type Keys = ReadonlyMap<string, Verify>

const FORMAT = 'stempelwerk-statement/1'
const SIGNATURE = 'signature'
/** The limit for nested objects and arrays; a statement needs four levels. */
const LEVELS = 8
/** In the order of the sums. */
const KINDS = ['holiday', 'vacation', 'absence']

export interface Credit {
  kind: string
  minutes: number
}

interface Entry {
  id: string
  date: string
  raw: number | null
  break: number | null
  net: number | null
}

interface Day {
  date: string
  target: number
  actual: number
  credits: Credit[]
  entryIds: string[]
}

interface Booking {
  date: string
  minutes: number
}

/** The members of a statement that this app reads. */
export interface Statement {
  attestedBy: string
  bookings: Booking[]
  company: { id: string; name: string }
  corrections: unknown[]
  days: Day[]
  deletions: unknown[]
  entries: Entry[]
  installation: string
  kid: string
  madeAt: string
  month: string
  person: { id: string; username: string }
  previous: { digest: string; month: string } | null
  stamps: unknown[]
  sums: {
    actual: number
    balance: number
    bookings: number
    carried: number
    credits: Credit[]
    target: number
  }
  zone: string
}

export type Code =
  | 'valid'
  | 'format'
  | 'not_canonical'
  | 'unknown_key'
  | 'signature'
  | 'sums'
  | 'previous_missing'
  | 'previous_mismatch'

/** The checks, in this order. */
export const STEPS = ['file', 'spelling', 'key', 'signature', 'shape', 'sums', 'chain'] as const
export type Step = (typeof STEPS)[number]

/** `at`: the failed check. `statement` is the content: null, unless it is genuine. */
export interface Finding {
  code: Code
  at: Step | null
  statement: Statement | null
}

/** `keys`: the installation's, by id; `previous`: the preceding file. */
export async function check(content: Bytes, keys: Keys, previous: Bytes | null = null): Promise<Finding> {
  const decodedFile = read(content)
  if (decodedFile === null) return failed('format', 'file')
  if (!isCanonical(decodedFile, content)) return failed('not_canonical', 'spelling')
  const { kid } = decodedFile
  const verify = typeof kid === 'string' ? keys.get(kid) : undefined
  if (verify === undefined) return failed('unknown_key', 'key')
  if (!(await isSigned(decodedFile, verify))) return failed('signature', 'signature')
  if (!fits(decodedFile, SHAPE)) return failed('format', 'shape')
  const statement = decodedFile as unknown as Statement
  if (!addsUp(statement)) return failed('sums', 'sums', statement)
  const code = previous === null ? 'valid' : follows(statement, previous)
  return { code, at: code === 'valid' ? null : 'chain', statement }
}

/** The following statement's reference to this file: the SHA-256 of its bytes, in hex. */
export const digestOf = (content: Bytes) => bytesToHex(sha256(content))

function failed(code: Code, at: Step, statement: Statement | null = null): Finding {
  return { code, at, statement }
}

type Found = Record<string, unknown>

/** A file's content, whoever has signed it; null if it is no statement. */
function read(content: Bytes): Found | null {
  try {
    const decodedJson: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content),
    )
    return isObject(decodedJson) && decodedJson.format === FORMAT ? decodedJson : null
  } catch {
    return null
  }
}

function isCanonical(found: Found, content: Bytes): boolean {
  try {
    const canonicalBytes = canonical(found)
    return (
      canonicalBytes.length === content.length &&
      canonicalBytes.every((byte, index) => byte === content[index])
    )
  } catch (cause) {
    if (cause instanceof NotCanonical) return false
    throw cause
  }
}

/** The value has no canonical form. */
class NotCanonical extends Error {}

/** The canonical bytes of a value. Throws `NotCanonical` for values that do not occur in statements. */
export function canonical(value: unknown): Bytes {
  return utf8ToBytes(canonicalText(value)) as Bytes
}

function canonicalText(value: unknown, levels: number = LEVELS): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new NotCanonical('no whole number')
    return String(value)
  }
  if (typeof value === 'string') return quoted(value)
  if (levels === 0 || typeof value !== 'object') throw new NotCanonical('too deep')
  if (Array.isArray(value)) return `[${value.map(one => canonicalText(one, levels - 1)).join(',')}]`
  // `sort` compares UTF-16 code units, as RFC 8785 requires.
  const members = Object.keys(value)
    .sort()
    .map(name => `${quoted(name)}:${canonicalText((value as Found)[name], levels - 1)}`)
  return `{${members.join(',')}}`
}

const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

function quoted(text: string): string {
  if (LONE.test(text)) throw new NotCanonical('half of a character')
  return JSON.stringify(text)
}

async function isSigned(found: Found, verify: Verify): Promise<boolean> {
  const { [SIGNATURE]: text, ...body } = found
  const signature = typeof text === 'string' ? bytesOf(text) : null
  // Other spellings can decode to the same bytes.
  if (signature === null || textOf(signature) !== text) return false
  return verify(signature, canonical(body))
}

type Shape = 'string' | 'number' | 'boolean' | Maybe | readonly [Shape] | { readonly [name: string]: Shape }

/** A shape, or null. */
class Maybe {
  constructor(readonly shape: Shape) {}
}

const CREDITS = [{ kind: 'string', minutes: 'number' }] as const

/** The exact members of a statement. */
const SHAPE: Shape = {
  attestedBy: 'string',
  bookings: [{ date: 'string', minutes: 'number', reason: 'string' }],
  company: { id: 'string', name: 'string' },
  corrections: [
    {
      breakMinutes: new Maybe('number'),
      date: 'string',
      decidedAt: 'string',
      end: 'string',
      id: 'string',
      requestedAt: 'string',
      start: 'string',
    },
  ],
  days: [{ actual: 'number', credits: CREDITS, date: 'string', entryIds: ['string'], target: 'number' }],
  deletions: [{ decidedAt: 'string', end: 'string', id: 'string', start: 'string' }],
  entries: [
    {
      break: new Maybe('number'),
      date: 'string',
      end: new Maybe('string'),
      endLocal: new Maybe('string'),
      flags: ['string'],
      id: 'string',
      net: new Maybe('number'),
      raw: new Maybe('number'),
      reasons: ['string'],
      source: 'string',
      start: new Maybe('string'),
      startLocal: new Maybe('string'),
    },
  ],
  format: 'string',
  installation: 'string',
  kid: 'string',
  madeAt: 'string',
  month: 'string',
  person: { id: 'string', username: 'string' },
  previous: new Maybe({ digest: 'string', month: 'string' }),
  [SIGNATURE]: 'string',
  stamps: [
    {
      at: 'string',
      clock: 'string',
      counted: 'boolean',
      direction: 'string',
      id: 'string',
      reason: new Maybe('string'),
    },
  ],
  sums: {
    actual: 'number',
    balance: 'number',
    bookings: 'number',
    carried: 'number',
    credits: CREDITS,
    target: 'number',
  },
  zone: 'string',
}

function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') return typeof value === shape
  if (shape instanceof Maybe) return value === null || fits(value, shape.shape)
  if (isList(shape)) return Array.isArray(value) && value.every(one => fits(one, shape[0]))
  if (!isObject(value)) return false
  const names = Object.keys(shape)
  return (
    Object.keys(value).length === names.length &&
    names.every(name => Object.hasOwn(value, name) && fits(value[name], shape[name] as Shape))
  )
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

function isObject(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether days match entries, and sums match days and bookings. */
function addsUp({ month, days, entries, bookings, sums }: Statement): boolean {
  const dates = daysOf(month)
  const within = new Set(dates)
  return (
    dates.length > 0 &&
    isSame(
      days.map(day => day.date),
      dates,
    ) &&
    [...entries, ...bookings].every(({ date }) => within.has(date)) &&
    entries.every(isPaid) &&
    days.every(day => comesOf(day, entries)) &&
    isSame(sums, sumsOf(days, bookings, sums.carried))
  )
}

/** Every day of `YYYY-MM`; empty for an invalid month. */
function daysOf(month: string): string[] {
  const [, year = '0000', number = ''] = /^([0-9]{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year === '0000') return []
  // The calendar repeats after 400 years; `Date` maps years below 100 to 19xx.
  const count = new Date(Date.UTC(2000 + (Number(year) % 400), Number(number), 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

function isPaid({ raw, break: pause, net }: Entry): boolean {
  if (raw === null || pause === null || net === null) return raw === null && pause === null && net === null
  return net === raw - pause
}

function comesOf({ date, actual, entryIds }: Day, entries: readonly Entry[]): boolean {
  const dayEntries = entries.filter(entry => entry.date === date)
  return (
    actual === total(dayEntries.map(({ net }) => net ?? 0)) &&
    isSame(
      entryIds,
      dayEntries.map(({ id }) => id),
    )
  )
}

function sumsOf(days: readonly Day[], bookings: readonly Booking[], carried: number): Statement['sums'] {
  const worth = new Map(KINDS.map(kind => [kind, 0]))
  for (const { kind, minutes } of days.flatMap(({ credits }) => credits)) {
    worth.set(kind, (worth.get(kind) ?? 0) + minutes)
  }
  const credits = [...worth]
    .map(([kind, minutes]) => ({ kind, minutes }))
    .filter(({ minutes }) => minutes !== 0)
  const actual = total(days.map(day => day.actual))
  const target = total(days.map(day => day.target))
  const booked = total(bookings.map(({ minutes }) => minutes))
  const balance = actual + total([...worth.values()]) + booked - target
  return { actual, balance, bookings: booked, carried, credits, target }
}

const total = (minutes: readonly number[]) => minutes.reduce((sum, one) => sum + one, 0)

/** Compares the file's values with the expected ones. Sums too large for the canonical form never match. */
function isSame(found: unknown, due: unknown): boolean {
  try {
    return canonicalText(found) === canonicalText(due)
  } catch {
    return false
  }
}

function follows({ previous: named }: Statement, previous: Bytes): Code {
  if (named === null) return 'previous_missing'
  const previousStatement = read(previous)
  const isPrevious =
    previousStatement !== null &&
    named.month === previousStatement.month &&
    named.digest === digestOf(previous)
  return isPrevious ? 'valid' : 'previous_mismatch'
}
