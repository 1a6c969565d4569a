/** Items of every kind that wait for a decision, in one list: oldest first. Pure. */
import type { components } from '../../api/schema'
import type { Place } from '../../entities/absences/place'
import { type Report, reportsOf } from '../../entities/absences/reports'
import { dayOf, shortDay, timeOf } from '../../ui/days'
import { grouped } from '../../ui/grouped'
import type { Fact } from '../../ui/layout'
import { texts } from './texts'

type Rows = components['schemas']

export interface Lists {
  absences: readonly Rows['AbsenceRow'][]
  requests: readonly Rows['RequestRow'][]
  corrections: readonly Rows['CorrectionRow'][]
  held: readonly Rows['HeldStamp'][]
  review: readonly Rows['ReviewRow'][]
}

interface Common {
  key: string
  /** Its location on "Abwesenheiten bestätigen". */
  place?: Place
  /** The person, or the subject if the person is unknown. */
  name: string
  userId?: string
  what: string
  when: string
  /** The sort value: a day, or an instant. */
  since: string
  facts: readonly (Fact | false | null)[]
}

export type Item = Common &
  (
    | { kind: 'absence'; id: string }
    | { kind: 'request'; id: string; leave: Rows['RequestRow'] }
    | { kind: 'correction'; id: string }
    | { kind: 'wish'; id: string }
    | { kind: 'held'; stamp: Rows['HeldStamp'] }
    | { kind: 'review'; id: string; flags: Rows['ReviewRow']['flags'] }
    | { kind: 'elsewhere' }
  )

export function itemsOf({ absences, requests, corrections, held, review }: Lists): Item[] {
  const items = [
    ...reportsOf(absences).map(absenceItem),
    ...requests.map(requestItem),
    ...corrections.map(correctionItem),
    ...grouped(held, one => `${one.tag}/${one.state}`).map(heldItem),
    ...review.map(reviewItem),
  ]
  return items.sort((a, b) => a.since.localeCompare(b.since))
}

const KINDS = { sick: texts.sick, missing: texts.missed, special: texts.special } as const

/** The days of one report are decided together. */
function absenceItem({ id, userId, username, first, last, days: [day, ...more], messages }: Report): Item {
  const when = daysText(first, last)
  const reasonText = day.reason ?? KINDS[day.kind]
  return {
    kind: 'absence',
    id: day.id,
    place: { part: 'absences', item: id },
    key: `absence/${id}`,
    name: username,
    userId,
    what: reasonText,
    when,
    since: first,
    facts: [
      { term: texts.what, value: day.certified ? `${reasonText}, ${texts.certified}` : reasonText },
      { term: texts.when, value: when },
      { term: texts.amount, value: texts.days(more.length + 1) },
      messages.length > 0 && { term: texts.said, value: messages.join('\n') },
    ],
  }
}

function requestItem(row: Rows['RequestRow']): Item {
  const kindText = texts[row.kind]
  const when = daysText(row.startDate, row.endDate)
  const common: Common = {
    key: `request/${row.id}`,
    place: { part: 'requests', item: row.id },
    name: row.username,
    userId: row.userId,
    what: row.cancelRequested ? `${kindText}, ${texts.cancelWish}` : kindText,
    when,
    since: row.createdAt,
    facts: [
      { term: texts.what, value: kindText },
      { term: texts.when, value: when },
      { term: texts.amount, value: texts.days(row.days) },
      saidBy(row.cancelRequested ? row.cancelReason : row.reason),
      sinceOf(row.createdAt),
    ],
  }
  return row.cancelRequested
    ? { ...common, kind: 'wish', id: row.id }
    : { ...common, kind: 'request', id: row.id, leave: row }
}

function correctionItem(row: Rows['CorrectionRow']): Item {
  const when = dayText(row.date)
  const timesBefore = (row.before ?? []).map(({ start, end }) => timesText(start, end)).join(', ')
  const common: Common = {
    key: `correction/${row.id}`,
    place: { part: 'corrections', item: row.id },
    name: row.username,
    userId: row.userId,
    what: texts.correction,
    when,
    since: row.createdAt,
    facts: [
      { term: texts.when, value: when },
      timesBefore !== '' && { term: texts.before, value: timesBefore },
      { term: texts.wanted, value: timesText(row.newStart, row.newEnd) },
      saidBy(row.reason),
      sinceOf(row.createdAt),
    ],
  }
  // Approval needs both times: the page with input fields takes them.
  return row.newStart === null || row.newEnd === null
    ? { ...common, kind: 'elsewhere' }
    : { ...common, kind: 'correction', id: row.id }
}

const HELD_STATES: Readonly<Record<string, string>> = {
  held_clock: texts.heldClock,
  held_assignment: texts.heldAssignment,
}

/** The waiting stamps of a tag with the same remedy. */
function heldItem(stamps: [Rows['HeldStamp'], ...Rows['HeldStamp'][]]): Item {
  const inOrder = [...stamps].sort((a, b) => a.takenAt.localeCompare(b.takenAt))
  const [first = stamps[0]] = inOrder
  const moment = momentText(first.takenAt)
  return {
    kind: 'held',
    stamp: first,
    key: `held/${first.tag}/${first.state}`,
    name: texts.chip(first.tag),
    what: HELD_STATES[first.state] ?? texts.held,
    when: moment,
    since: first.takenAt,
    facts: [
      { term: texts.where, value: first.deviceName },
      { term: texts.when, value: moment },
      { term: texts.amount, value: texts.stamps(stamps.length) },
    ],
  }
}

function reviewItem(row: Rows['ReviewRow']): Item {
  const when = dayText(row.date)
  return {
    kind: 'review',
    id: row.entryId,
    flags: row.flags,
    key: `review/${row.entryId}`,
    name: row.username,
    userId: row.userId,
    what: row.flags.map(flag => texts.flags[flag]).join(', ') || texts.review,
    when,
    since: row.date,
    facts: [
      { term: texts.when, value: when },
      { term: texts.reasons, value: row.flags.map(flag => texts.flags[flag]).join('\n') },
    ],
  }
}

const saidBy = (words: string | null): Fact | null =>
  words === null ? null : { term: texts.said, value: words }
const sinceOf = (at: string): Fact => ({ term: texts.waitingSince, value: momentText(at) })

const dayText = (day: string) => {
  const { weekday, date } = shortDay(day)
  return `${weekday} ${date}`
}
const daysText = (first: string, last: string) =>
  first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`
const timesText = (start: string | null, end: string | null) => `${start ?? '…'}–${end ?? '…'}`
const momentText = (at: string) => `${dayText(dayOf(new Date(at)))}, ${timeOf(new Date(at))}`
