/** A message: its outcome, its time, and the page of its subject. Pure. */
import type { components } from '../../api/schema'
import { addressOf, type Part } from '../../entities/absences/place'
import { addDays, dayOf, formatter, homeZone, momentOf, timeOf } from '../../ui/days'
import { now } from '../../ui/now'
import { texts } from './texts'

export type Message = components['schemas']['MessageRow']

export type Outcome = 'good' | 'bad' | 'neutral'

/** The accepting status, by type. */
const YES: Readonly<Record<string, string>> = {
  handoff_response: 'accepted',
  vacation_response: 'approved',
  correction_response: 'approved',
  absence_response: 'excused',
}
const NO = new Set<unknown>(['declined', 'rejected'])

export function outcomeOf(message: Message): Outcome {
  const yes = YES[message.type]
  if (yes === undefined) return 'neutral'
  const { status } = payloadOf(message)
  if (status === yes) return 'good'
  return NO.has(status) ? 'bad' : 'neutral'
}

/** An object, or its JSON. */
export function payloadOf({ payload }: { payload: unknown }): Readonly<Record<string, unknown>> {
  const content = typeof payload === 'string' ? parsed(payload) : payload
  return typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The employee's page of the subject, by type. */
const PAGES: Readonly<Record<string, Place['page']>> = {
  handoff: 'my_schedule',
  handoff_response: 'my_schedule',
  schedule: 'my_schedule',
  vacation_response: 'my_absences',
  vacation_notice: 'my_absences',
  absence_response: 'my_absences',
  absence: 'my_absences',
  correction_response: 'my_times',
  review: 'my_times',
  booking: 'my_account',
}

export interface Place {
  page: 'my_schedule' | 'my_absences' | 'my_times' | 'my_account' | 'absences' | 'monthly_mail' | 'support'
  /** The target's address: the page, and the month if known. */
  search: string
}

/** Null without a page. */
export function placeOf(message: Message): Place | null {
  const page = PAGES[message.type]
  if (page === undefined) return null
  const month = monthOf(message)
  return { page, search: `?tab=${page}${month === null ? '' : `&monat=${month}`}` }
}

/** The page's part for deciding, by the kind of request. */
const DECIDED_IN: Readonly<Record<string, Part>> = {
  vacation: 'requests',
  wish: 'requests',
  correction: 'corrections',
  sick: 'absences',
  sick_note: 'absences',
  missing: 'absences',
  absence_message: 'absences',
}

/** The page where an administrator decides the request, or sees its subject; null without a page. */
export function decisionOf(message: Message, opens: (page: string) => boolean): Place | null {
  const { type } = message
  if (type === 'support' || type === 'monthly_mail')
    return opens(type) ? { page: type, search: `?tab=${type}` } : null
  if (!opens('absences')) return null
  const { what, requestId, reportId, userId, date, status } = payloadOf(message)
  const part = message.type === 'request' ? DECIDED_IN[String(what)] : undefined
  if (part === undefined) return null
  // A note that came after the decision is in the decided part.
  if (what === 'sick_note' && typeof status === 'string' && status !== 'open')
    return { page: 'absences', search: addressOf({ part: 'decided', item: status }) }
  const item = requestId ?? reportId ?? (userId && date ? `${userId}/${date}` : undefined)
  return { page: 'absences', search: addressOf(item === undefined ? { part } : { part, item: String(item) }) }
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-\d{2}/

function monthOf(message: Message): string | null {
  const { date, startDate, dates } = payloadOf(message)
  const [first] = Array.isArray(dates) ? dates : []
  const day = [date, startDate, first].find(each => typeof each === 'string' && DAY.test(each))
  return typeof day === 'string' ? day.slice(0, 7) : null
}

/** "heute, 07:58", "gestern, 16:20", "12. November, 07:58", with the year for past years. */
export function whenOf(instant: string, present: Date = now()): string {
  const moment = new Date(instant)
  const [day, today] = [dayOf(moment), dayOf(present)]
  const time = timeOf(moment)
  if (day === today) return texts.today(time)
  if (day === addDays(today, -1)) return texts.yesterday(time)
  if (day.slice(0, 4) === today.slice(0, 4)) return momentOf(moment)
  const wholeDate = formatter({ day: 'numeric', month: 'long', year: 'numeric', timeZone: homeZone() })
  return `${wholeDate.format(moment)}, ${time}`
}
