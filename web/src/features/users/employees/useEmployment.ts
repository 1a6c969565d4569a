/** A person's data and the administrator's decisions. */
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

/** Queries that change with a decision about the person. */
export const readsOf = (userId: string) =>
  ([EMPLOYMENT, BOOKINGS, ACCOUNT] as const).map(path => [keyOf(path)[0], of(userId)])

export const useEmployment = (userId: string) => useGet(EMPLOYMENT, of(userId))

export const useMonthAccount = (userId: string, month: string) => {
  const { data, ...query } = useGet(ACCOUNT, { ...of(userId), query: { month } })
  return { ...query, data: data as MonthAccount | undefined }
}

/** A person's yearly allowance in days; undefined until known. */
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
