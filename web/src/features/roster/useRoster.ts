/**
 * The plan of a range, and changing it step by step: changes show at once, are sent in order, and are reverted if the
 * service refuses them.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { api, dataOf, ignoreNotFound } from '../../api/client'
import { Refused, sentenceOf } from '../../api/failures'
import { readingWhole } from '../../api/reading'
import type { components } from '../../api/schema'
import { useHas } from '../../entities/people/PersonLink'
import { usePeople } from '../../entities/people/usePeople'
import { useAct } from '../../patterns/useAct'
import { keyOf, useGet } from '../../patterns/useGet'
import { byAlphabet } from '../../ui/alphabet'
import {
  bodyOf,
  byPerson,
  type Cell,
  corrected,
  type Duty,
  daysOf,
  type History,
  inverse,
  marksOf,
  NOTHING_DONE,
  pushDone,
  pushRedone,
  pushUndone,
  refusedCells,
  type Step,
  without,
  withSteps,
} from './plan'
import { texts } from './texts'

const SCHEDULE = '/api/companies/{companyId}/schedule'
const WARNINGS = '/api/companies/{companyId}/schedule/warnings'
const CHANGES = '/api/companies/{companyId}/schedule/changes'
const LIVE = { live: ['plan_update'] }

export type Warning = components['schemas']['PlanWarning']

export interface Range {
  from: string
  to: string
}

/** All duties of these days, over all pages. */
export const dutiesOf = (companyId: string, query: Range) =>
  readingWhole(SCHEDULE, { path: { companyId }, query })(new AbortController().signal)

/** The refused cells and the reason; no cells if the whole step was refused. */
export interface Refusal {
  cells: readonly Cell[]
  sentence: string
}

interface Job {
  step: Step
  /** Updates the history after a refusal: of the whole step, or of all but this part. */
  settle: (history: History, part: Step | null) => History
  told: (refusal: Refusal | null) => void
}

export type Roster = ReturnType<typeof useRoster>

const min = (a: string, b: string) => (a < b ? a : b)
const max = (a: string, b: string) => (a < b ? b : a)

/**
 * A company's roster: its data, and the acts that change cells, undo and redo. `range`: the shown days; `month`: the days
 * that are published together, in every view.
 */
export function useRoster(companyId: string, range: Range, month: Range) {
  const queries = useQueryClient()
  const path = { companyId }
  const has = useHas('absences')
  const duties = useGet(SCHEDULE, { path, query: range }, { ...LIVE, whole: true })
  const people = usePeople(companyId)
  const warnings = useGet(WARNINGS, { path, query: range }, LIVE)
  const changes = useGet(CHANGES, { path, query: month }, LIVE)
  const leave = useGet(
    '/api/companies/{companyId}/vacation-requests',
    { path, query: { status: has ? 'all' : 'approved', ...range } },
    LIVE,
  )
  const absences = useGet(
    '/api/companies/{companyId}/absences',
    has ? { path, query: { status: 'all', ...range } } : null,
    LIVE,
  )
  const daysOff = useGet('/api/companies/{companyId}/schedule/days-off', { path, query: range }, LIVE)
  const closures = useGet('/api/companies/{companyId}/closures', { path }, LIVE)
  const [history, setHistory] = useState(NOTHING_DONE)
  const [waiting, setWaiting] = useState<readonly Job[]>([])
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [newWarnings, setNewWarnings] = useState<readonly Warning[]>([])
  const queue = useRef<readonly Job[]>([])
  const running = useRef<Promise<void>>(null)

  /** The step may also affect days outside the shown range. */
  const rowsFor = async ({ changes: cells }: Step): Promise<readonly Duty[]> => {
    const days = cells.filter(({ before }) => before !== null).map(({ date }) => date)
    const cachedDuties = queries.getQueryData<Duty[]>(keyOf(SCHEDULE, { path, query: range }))
    if (cachedDuties !== undefined && days.every(day => range.from <= day && day <= range.to))
      return cachedDuties
    const [from = range.from, to = from] = [days.sort()[0], days.at(-1)]
    return dutiesOf(companyId, { from, to })
  }

  /** Resolves with the step's new warnings. */
  const send = async (step: Step): Promise<readonly Warning[]> => {
    const body = bodyOf(step, await rowsFor(step))
    if (body === null) throw new Refused(409, { message: texts.changedMeanwhile })
    const [added, removed] = [body.add?.[0], body.remove?.[0]]
    const count = (body.add?.length ?? 0) + (body.remove?.length ?? 0)
    if (count === 1 && added !== undefined)
      return dataOf(await api.POST(SCHEDULE, { params: { path }, body: added })).warnings ?? []
    if (count === 1 && removed !== undefined) {
      ignoreNotFound(await api.DELETE(`${SCHEDULE}/{id}`, { params: { path: { ...path, id: removed } } }))
      return []
    }
    return dataOf(await api.POST(`${SCHEDULE}/bulk`, { params: { path }, body })).warnings ?? []
  }

  const perform = async ({ step, settle, told }: Job) => {
    let refused = null as Refusal | null
    let warnings: readonly Warning[] = []
    try {
      for (let part = step; part.changes.length > 0; ) {
        try {
          warnings = await send(part)
          if (part !== step) setHistory(previous => settle(previous, part))
          break
        } catch (error) {
          const cells = error instanceof Refused ? refusedCells(part, error.fields) : []
          if (step.partial !== true || cells.length === 0) throw error
          const out = cells.map(([cell]) => cell)
          refused = { cells: [...(refused?.cells ?? []), ...out], sentence: cells[0]?.[1] ?? '' }
          part = without(part, out)
          if (part.changes.length === 0) setHistory(previous => settle(previous, null))
        }
      }
    } catch (error) {
      const cells = error instanceof Refused ? refusedCells(step, error.fields) : []
      const blamedCells = cells.length > 0 ? cells.map(([cell]) => cell) : step.changes.slice(-1)
      const words = cells[0]?.[1] ?? sentenceOf(error, texts.changeFailed)
      refused = { cells: blamedCells, sentence: words }
      setHistory(previous => settle(previous, null))
    }
    setRefusal(refused)
    setNewWarnings(warnings)
    const invalidations = [SCHEDULE, WARNINGS, CHANGES].map(name =>
      queries.invalidateQueries({ queryKey: [name] }),
    )
    await invalidations[0]
    told(refused)
  }

  const drain = async () => {
    for (let job = queue.current[0]; job !== undefined; job = queue.current[0]) {
      await perform(job)
      queue.current = queue.current.slice(1)
      setWaiting(queue.current)
    }
    running.current = null
  }

  const enqueue = (step: Step, settle: Job['settle']) =>
    new Promise<Refusal | null>(told => {
      setRefusal(null)
      queue.current = [...queue.current, { step, settle, told }]
      setWaiting(queue.current)
      running.current ??= drain()
    })

  /** Executes it; resolves with the refused part, once the service has answered. */
  const change = (step: Step) => {
    setHistory(previous => pushDone(previous, step))
    return enqueue(step, (known, part) => corrected(known, step, part))
  }
  const undo = () => {
    const step = history.done.at(-1)
    if (step === undefined) return false
    setHistory(previous => pushUndone(previous, step))
    void enqueue(inverse(step), known => pushRedone(known, step))
    return true
  }
  const redo = () => {
    const step = history.undone.at(-1)
    if (step === undefined) return false
    setHistory(previous => pushRedone(previous, step))
    void enqueue(step, known => pushUndone(known, step))
    return true
  }

  const dutiesByPerson = useMemo(() => byPerson(duties.data ?? []), [duties.data])
  const plan = useMemo(
    () =>
      withSteps(
        dutiesByPerson,
        waiting.map(({ step }) => step),
      ),
    [dutiesByPerson, waiting],
  )
  const { from, to } = range
  const marks = useMemo(
    () => marksOf(leave.data ?? [], absences.data ?? [], { from, to }),
    [leave.data, absences.data, from, to],
  )
  const employees = useMemo(
    () =>
      people.data?.filter(({ role }) => role === 'user').sort((a, b) => byAlphabet(a.username, b.username)),
    [people.data],
  )
  /** Warnings as words, by person and day. */
  const hints = useMemo(() => {
    const warningsByPerson = new Map<string, Map<string, readonly string[]>>()
    for (const { userId, date, code } of warnings.data ?? []) {
      const days = warningsByPerson.get(userId) ?? new Map<string, readonly string[]>()
      warningsByPerson.set(userId, days.set(date, [...(days.get(date) ?? []), texts.codes[code]]))
    }
    return warningsByPerson
  }, [warnings.data])
  const names = useMemo(() => {
    const namesByDay: Record<string, string> = {}
    const call = (day: string, name: string) => {
      namesByDay[day] = namesByDay[day] === undefined ? name : `${namesByDay[day]}, ${name}`
    }
    for (const { date, name, half } of daysOff.data ?? []) call(date, half ? texts.halfDay(name) : name)
    const within = (closures.data ?? []).filter(closure => closure.startDate <= to && from <= closure.endDate)
    for (const { startDate, endDate, name } of within)
      for (const day of daysOf({ from: max(startDate, from), to: min(endDate, to) })) call(day, name)
    return namesByDay as Readonly<Record<string, string>>
  }, [daysOff.data, closures.data, from, to])
  return {
    companyId,
    month,
    duties,
    people,
    warnings,
    changes,
    leave,
    absences,
    employees,
    plan,
    marks,
    hints,
    /** Public holidays, the company's free days and its holidays, by day. */
    names,
    daysOff,
    closures,
    /** New warnings of the last change. */
    newWarnings,
    forgetNewWarnings: () => setNewWarnings([]),
    history,
    busy: waiting.length > 0,
    refusal,
    /** Resolves when the service has answered every change. */
    written: () => running.current,
    forgetRefusal: () => setRefusal(null),
    /** Published changes cannot be undone. */
    forgetHistory: () => setHistory(NOTHING_DONE),
    change,
    undo,
    redo,
  }
}

/** An act that makes the changes of a step. If it changes several cells, its failure names the refused people. */
export const useStep = (roster: Roster, failed: string) =>
  useAct(async (step: Step) => {
    const refusal = step.changes.length === 0 ? null : await roster.change(step)
    if (refusal === null) return true
    roster.forgetRefusal()
    const nameOf = (userId: string) => roster.employees?.find(({ id }) => id === userId)?.username ?? ''
    const names = step.changes.length > 1 && refusal.cells.map(({ userId }) => nameOf(userId)).join(', ')
    throw new Refused(409, { message: names ? `${names}: ${refusal.sentence}` : refusal.sentence })
  }, failed)
