/** What is read of one person and what is decided for them. */
import { api, dataOf } from '../../../api/client'
import type { components } from '../../../api/schema'
import { useChange } from '../../../patterns/useChange'
import { keyOf, useGet } from '../../../patterns/useGet'
import { texts } from './texts'

type Schemas = components['schemas']
export type Employment = Schemas['EmploymentRow']
export type Change = Partial<Schemas['EmploymentChange']>
export type MonthAccount = Schemas['MonthAccount']
export type YearAccount = Schemas['YearAccount']
export type NewBooking = Schemas['NewBooking']

const EMPLOYMENT = '/api/users/{userId}/employment'
const BOOKINGS = '/api/users/{userId}/bookings'
const ACCOUNT = '/api/users/{userId}/account'
const of = (userId: string) => ({ path: { userId } })

/** What shows otherwise once something was decided for somebody. */
export const readsOf = (userId: string) =>
  ([EMPLOYMENT, BOOKINGS, ACCOUNT] as const).map(path => [keyOf(path)[0], of(userId)])

export const useEmployment = (userId: string) => useGet(EMPLOYMENT, of(userId))

export const useMonthAccount = (userId: string, month: string) => {
  const { data, ...query } = useGet(ACCOUNT, { ...of(userId), query: { month } })
  return { ...query, data: data as MonthAccount | undefined }
}

/** The days of a year that somebody may take; undefined until they are known. */
export const useAllowance = (userId: string, year: string) =>
  (useGet(ACCOUNT, { ...of(userId), query: { year } }).data as YearAccount | undefined)?.vacation.allowance

export const putEmployment = (userId: string) => async (body: Change, dryRun: boolean) =>
  dataOf(
    await api.PUT(EMPLOYMENT, {
      params: { ...of(userId), query: { dryRun } },
      body: body as Schemas['EmploymentChange'],
    }),
  )

export const useBookings = (userId: string) => useGet(BOOKINGS, of(userId))
export type Booking = NonNullable<ReturnType<typeof useBookings>['data']>[number]

export const useBook = (userId: string) =>
  useChange(
    async (body: NewBooking) => dataOf(await api.POST(BOOKINGS, { params: of(userId), body })),
    texts.bookFailed,
    readsOf(userId),
  )
