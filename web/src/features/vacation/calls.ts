/** The page's queries and decisions. With `keepalive`: leaving the page sends pending decisions. */
import { useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client'
import { PREVIEW } from '../../entities/absences/preview'
import { succeed } from '../../patterns/succeed'
import type { Leave } from './rows'
import { texts } from './texts'

export const ABSENCES = '/api/companies/{companyId}/absences'
export const LEAVE = '/api/companies/{companyId}/vacation-requests'
export const CORRECTIONS = '/api/companies/{companyId}/time-corrections'
export const LIVE = { live: ['plan_update'] }
const keepalive = true
const pathOf = (id: string) => ({ path: { id } })

/** Returns a function that refetches everything that depends on a decision. */
export function useInvalidateDecisions() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [ABSENCES, LEAVE, CORRECTIONS, PREVIEW].map(path => queries.invalidateQueries({ queryKey: [path] })),
    )
}

/** Reports success, and refetches. */
export function useReportAndInvalidate() {
  const invalidate = useInvalidateDecisions()
  return (sentence: string) => {
    succeed(sentence)
    return invalidate()
  }
}

const commented = (comment: string) => ({ comment: comment || null })

type AbsenceDecision = { comment: string; certified: boolean; wholeReport: boolean; days?: string[] }

/** Decides a day, with its whole report or those `days` of it: all together or not at all. */
export async function decideAbsence(yes: boolean, id: string, { comment, ...which }: AbsenceDecision) {
  const path = yes ? '/api/absences/{id}/excuse' : '/api/absences/{id}/decline'
  const body = { ...commented(comment), ...which }
  return dataOf(await api.POST(path, { params: pathOf(id), body, keepalive }))
}

export async function approveLeave(id: string, comment: string, overAllowance: boolean) {
  const body = { ...commented(comment), overAllowance }
  return dataOf(
    await api.POST('/api/vacation-requests/{id}/approve', { params: pathOf(id), body, keepalive }),
  )
}

export async function declineLeave(id: string, comment: string) {
  const body = commented(comment)
  return dataOf(
    await api.POST('/api/vacation-requests/{id}/decline', { params: pathOf(id), body, keepalive }),
  )
}

export async function cancelLeave(id: string, comment: string, passedDays: boolean) {
  const body = { comment, passedDays }
  return dataOf(await api.POST('/api/vacation-requests/{id}/cancel', { params: pathOf(id), body, keepalive }))
}

export async function keepLeave(id: string, comment: string) {
  const body = commented(comment)
  return dataOf(await api.POST('/api/vacation-requests/{id}/keep', { params: pathOf(id), body, keepalive }))
}

export async function approveCorrection(id: string, newStart: string, newEnd: string, comment: string) {
  const body = { newStart, newEnd, ...commented(comment) }
  return dataOf(await api.POST('/api/time-corrections/{id}/approve', { params: pathOf(id), body, keepalive }))
}

export async function declineCorrection(id: string, comment: string) {
  const body = commented(comment)
  return dataOf(await api.POST('/api/time-corrections/{id}/decline', { params: pathOf(id), body, keepalive }))
}

export const begun = ({ startDate }: { startDate: string }, today: string) => startDate < today
export const nameOfLeave = ({ username, startDate, endDate }: Leave) =>
  `${username}, ${texts.span(startDate, endDate)}`
