/**
 * The plan as cells of a person and a day, and its changes as reversible steps. Pure.
 *
 * A step records each cell before and after, so that it can be inverted, and is rejected if another administrator has
 * changed the plan meanwhile.
 */
import type { components } from '../../api/schema'
import { holdsDay } from '../../entities/absences/leftOut'
import { byAlphabet } from '../../ui/alphabet'
import { addDays, daysFrom } from '../../ui/days'

type Rows = components['schemas']

export type Duty = Rows['DutyRow']
export type Leave = Rows['RequestRow']
export type Absence = Rows['AbsenceRow']

export interface Times {
  start: string | null
  end: string | null
}

export interface Cell {
  userId: string
  date: string
}

export interface Change extends Cell {
  before: Times | null
  after: Times | null
}

export interface Step {
  changes: readonly Change[]
  /** Whether refused cells are left out; else all or nothing. */
  partial?: boolean
}

/** Every day of a range, including both ends. */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  return Array.from({ length: daysFrom(from, to) + 1 }, (_, index) => addDays(from, index))
}

interface Rostered {
  username: string
  department?: string | null | undefined
}

/** By department, people without one last, and by name. */
export const inOrder = <Row extends Rostered>(people: readonly Row[]): Row[] =>
  [...people].sort(
    (a, b) =>
      Number(a.department == null) - Number(b.department == null) ||
      byAlphabet(a.department ?? '', b.department ?? '') ||
      byAlphabet(a.username, b.username),
  )

export type ByPerson<Value> = ReadonlyMap<string, ReadonlyMap<string, Value>>

export const timesOf = ({ start, end }: Times): Times => ({ start, end })
export const sameTimes = (a: Times, b: Times) => a.start === b.start && a.end === b.end
const isOf =
  ({ userId, date }: Cell) =>
  (cell: Cell) =>
    cell.userId === userId && cell.date === date

export function byPerson<Row extends Cell>(rows: Iterable<Row>): Map<string, Map<string, Row>> {
  const byPersonAndDay = new Map<string, Map<string, Row>>()
  for (const row of rows) {
    const days = byPersonAndDay.get(row.userId) ?? new Map<string, Row>()
    byPersonAndDay.set(row.userId, days.set(row.date, row))
  }
  return byPersonAndDay
}

/** The plan after these pending steps. */
export function withSteps(known: ByPerson<Duty>, steps: readonly Step[]): ByPerson<Duty> {
  const plan = new Map(known)
  for (const { userId, date, after } of steps.flatMap(({ changes }) => changes)) {
    const days = new Map(plan.get(userId))
    days.delete(date)
    if (after !== null) days.set(date, { id: '', userId, date, username: '', published: false, ...after })
    plan.set(userId, days)
  }
  return plan
}

export const inverse = ({ changes }: Step): Step => ({
  changes: changes.map(({ before, after, ...cell }) => ({ ...cell, before: after, after: before })),
})

/** Moves a duty from cell to cell. */
export const moving = (from: Cell, to: Cell, times: Times): Step => ({
  changes: [
    { ...from, before: times, after: null },
    { ...to, before: null, after: times },
  ],
})

/** A step's request; null if the plan differs from the step's expectation. */
export function bodyOf({ changes }: Step, rows: readonly Duty[]): Rows['Changes'] | null {
  const remove: string[] = []
  for (const change of changes) {
    if (change.before === null) continue
    const row = rows.find(isOf(change))
    if (row === undefined || !sameTimes(row, change.before)) return null
    remove.push(row.id)
  }
  const add = changes.flatMap(({ userId, date, after }) =>
    after === null ? [] : [{ date, userId, ...(after.start !== null && timesOf(after)) }],
  )
  return { add, remove }
}

/** Maps a refusal's fields (`add.3`) to their cells. */
export function refusedCells({ changes }: Step, fields: Readonly<Record<string, string>>): [Cell, string][] {
  const additions = changes.filter(({ after }) => after !== null)
  return Object.entries(fields).flatMap(([field, sentence]) => {
    const cell = additions[Number(/^add\.(\d+)$/.exec(field)?.[1] ?? Number.NaN)]
    return cell === undefined ? [] : [[cell, sentence]]
  })
}

export const without = (step: Step, cells: readonly Cell[]): Step => ({
  ...step,
  changes: step.changes.filter(change => !cells.some(isOf(change))),
})

/** Steps to undo, and undone steps, the latest at the end. */
export interface History {
  done: readonly Step[]
  undone: readonly Step[]
}

export const NOTHING_DONE: History = { done: [], undone: [] }

export const pushDone = ({ done }: History, step: Step): History => ({ done: [...done, step], undone: [] })

/** Moves the latest step to the other stack. */
export function pushUndone({ done, undone }: History, step: Step): History {
  return { done: done.filter(each => each !== step), undone: [...undone, step] }
}

export function pushRedone({ done, undone }: History, step: Step): History {
  return { done: [...done, step], undone: undone.filter(each => each !== step) }
}

/** Removes a refused step, or keeps only this part of it. */
export function corrected({ done, undone }: History, step: Step, part: Step | null): History {
  return { done: done.flatMap(each => (each === step ? (part ?? []) : each)), undone }
}

export interface Pattern {
  /** Null: all people. */
  userId: string | null
  from: string
  to: string
  until: string
}

/** Repeats the duties of some days until a day; existing duties stay. */
export function repeated(rows: readonly Duty[], { userId, from, to, until }: Pattern): Step {
  const length = daysFrom(from, to) + 1
  const rowsByPerson = byPerson(rows)
  const changes = rows
    .filter(row => row.date >= from && row.date <= to && (userId === null || row.userId === userId))
    .flatMap(row => {
      const copies: Change[] = []
      for (let date = addDays(row.date, length); date <= until; date = addDays(date, length)) {
        if (rowsByPerson.get(row.userId)?.has(date)) continue
        copies.push({ userId: row.userId, date, before: null, after: timesOf(row) })
      }
      return copies
    })
  return { changes, partial: true }
}

/** The most frequent times of the duties. */
export function usualTimes(rows: readonly Times[], most = 5): Times[] {
  const counts = new Map<string, { times: Times; count: number }>()
  for (const row of rows) {
    if (row.start === null) continue
    const key = `${row.start} ${row.end}`
    const entry = counts.get(key) ?? { times: timesOf(row), count: 0 }
    counts.set(key, { ...entry, count: entry.count + 1 })
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ times }) => times)
}

export interface Mark extends Cell {
  kind: 'vacation' | 'wish' | 'away'
  /** Whether it is undecided. */
  asked: boolean
  /** The half of the day, or null for the whole day. */
  half: 'first' | 'second' | null
}

/** Approved and requested leave, and reported absences, by day within the range. */
export function marksOf(
  leave: readonly Leave[],
  absences: readonly Absence[],
  { from, to }: { from: string; to: string },
): ByPerson<Mark> {
  const ofStatus = (status: Leave['status']) =>
    leave
      .filter(leave => leave.status === status)
      .flatMap(({ userId, kind, startDate, endDate, startHalf, endHalf, leftOut }) => {
        const marks: Mark[] = []
        const last = endDate < to ? endDate : to
        for (let date = startDate > from ? startDate : from; date <= last; date = addDays(date, 1)) {
          if (!holdsDay({ leftOut }, date)) continue
          const half =
            startHalf && date === startDate ? 'second' : endHalf && date === endDate ? 'first' : null
          marks.push({ userId, date, kind, asked: status === 'pending', half })
        }
        return marks
      })
  const away = absences
    .filter(({ kind, status }) => kind !== 'missing' && (status === 'open' || status === 'excused'))
    .map(({ userId, date }): Mark => ({ userId, date, kind: 'away', asked: false, half: null }))
  // Later ones override earlier ones: only approved leave prevents a duty, even for a person who is also sick.
  return byPerson([...ofStatus('pending'), ...away, ...ofStatus('approved')])
}

/** Whether approved leave blocks the day: `all` of it refuses any duty, `part` those of that half. */
export function leaveOf(mark: Mark | undefined): 'none' | 'part' | 'all' {
  if (mark === undefined || mark.kind === 'away' || mark.asked) return 'none'
  return mark.half === null ? 'all' : 'part'
}

export interface Place {
  row: number
  column: number
}

/** The target cell of a key; null without one. */
export function ledTo(
  { row, column }: Place,
  key: string,
  ctrl: boolean,
  { rows, columns }: { rows: number; columns: number },
): Place | null {
  const target = {
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    PageUp: { row: Math.max(row - 10, 0), column },
    PageDown: { row: Math.min(row + 10, rows - 1), column },
    Home: { row: ctrl ? 0 : row, column: 0 },
    End: { row: ctrl ? rows - 1 : row, column: columns - 1 },
  }[key]
  if (
    target === undefined ||
    target.row < 0 ||
    target.column < 0 ||
    target.row >= rows ||
    target.column >= columns
  )
    return null
  return target
}

/** The action of pressing a cell, by pointer or by key. */
export type CellAction = 'pick' | 'drop' | 'back' | 'add' | 'remove'

export function cellActionAt(
  how: 'toggle' | 'carry',
  held: Cell | null,
  at: Cell,
  taken: boolean,
): CellAction {
  if (held !== null) return isOf(held)(at) ? 'back' : 'drop'
  if (!taken) return 'add'
  return how === 'carry' ? 'pick' : 'remove'
}
