/** The open dialog and its subject. */
import { currentDay } from '../../ui/days'
import type { Sick, Wish } from './preview'
import type { Absence, Report } from './reports'
import type { LeaveRequest } from './useAbsences'

export type Opening =
  | { what: 'request'; wish: Wish }
  | { what: 'sick'; days: Sick }
  | { what: 'message'; day: Absence; text: string }
  | { what: 'upload'; report: Report; day: Absence }
  | { what: 'withdraw'; request: LeaveRequest }
  | { what: 'cancel'; request: LeaveRequest }
  | { what: 'recover'; report: Report }

export const newRequest = (): Opening => ({
  what: 'request',
  wish: { kind: 'vacation', startDate: '', endDate: '', startHalf: false, endHalf: false, reason: null },
})

export const newSick = (day: string = currentDay()): Opening => ({
  what: 'sick',
  days: { startDate: day, endDate: day },
})
