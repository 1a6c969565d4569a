import { describe, expect, it } from 'vitest'
import { decisionOf, type Message, outcomeOf, payloadOf, placeOf, whenOf } from './message'

const message = (type: string, payload: unknown = {}) =>
  ({ id: 'm-1', type, title: '', body: '', createdAt: '2026-11-20T06:58:03.214Z', payload }) as Message

const everything = () => true

describe('how a message went out', () => {
  it.each([
    ['handoff_response', { status: 'accepted' }, 'good'],
    ['handoff_response', { status: 'declined' }, 'bad'],
    ['handoff_response', { status: 'void' }, 'neutral'],
    ['vacation_response', { status: 'approved' }, 'good'],
    ['vacation_response', '{"status":"approved"}', 'good'],
    ['vacation_response', { status: 'declined' }, 'bad'],
    ['correction_response', { status: 'approved' }, 'good'],
    ['correction_response', { status: 'rejected' }, 'bad'],
    ['absence_response', { status: 'excused' }, 'good'],
    ['absence_response', '{"status":"declined"}', 'bad'],
    // A status that accepts in another type does not accept here.
    ['handoff_response', { status: 'approved' }, 'neutral'],
    ['handoff', { status: 'accepted' }, 'neutral'],
    ['schedule', {}, 'neutral'],
    ['vacation_response', 'no JSON', 'neutral'],
    ['vacation_response', null, 'neutral'],
  ])('%s with %j is %s', (type, payload, outcome) => {
    expect(outcomeOf(message(type, payload))).toBe(outcome)
  })

  it('is read from a payload that is an object or the text of one', () => {
    expect(payloadOf({ payload: { a: 1 } })).toEqual({ a: 1 })
    expect(payloadOf({ payload: '{"a":1}' })).toEqual({ a: 1 })
    for (const payload of ['', '1', 'null', null, undefined, 7]) expect(payloadOf({ payload })).toEqual({})
  })
})

describe('where a message leads', () => {
  it.each([
    ['vacation_response', { startDate: '2026-12-21' }, '?tab=my_absences&monat=2026-12'],
    ['vacation_response', {}, '?tab=my_absences'],
    ['absence', { date: '2026-11-20' }, '?tab=my_absences&monat=2026-11'],
    ['correction_response', '{"date":"2026-11-04T00:00:00Z"}', '?tab=my_times&monat=2026-11'],
    ['booking', { date: '2026-10-31' }, '?tab=my_account&monat=2026-10'],
    ['schedule', { dates: ['2026-11-23', '2026-12-01'] }, '?tab=my_schedule&monat=2026-11'],
    ['handoff_response', { date: 'bald' }, '?tab=my_schedule'],
    ['handoff', { date: '2026-13-01' }, '?tab=my_schedule'],
  ])('%s with %j leads to %s', (type, payload, search) => {
    expect(placeOf(message(type, payload))?.search).toBe(search)
  })

  it.each([
    [{ what: 'vacation', requestId: 'v-1' }, 'requests&eintrag=v-1'],
    [{ what: 'correction', requestId: 'k-1', date: '2026-11-20' }, 'corrections&eintrag=k-1'],
    [{ what: 'sick', reportId: 'r-1', userId: 'u-2' }, 'absences&eintrag=r-1'],
    [{ what: 'missing', userId: 'u-2', date: '2026-11-20' }, 'absences&eintrag=u-2%2F2026-11-20'],
    [{ what: 'wish' }, 'requests'],
    [{ what: 'sick_note', status: 'open', reportId: 'r-1' }, 'absences&eintrag=r-1'],
    [{ what: 'sick_note', status: 'declined', reportId: 'r-1' }, 'decided&eintrag=declined'],
  ])('is, for who decides about %j, at %s', (payload, search) => {
    expect(decisionOf(message('request', payload), everything)?.search).toBe(`?tab=absences&teil=${search}`)
  })

  it('is nowhere for who decides where nothing is asked for', () => {
    expect(decisionOf(message('request', { what: 'deletion', date: '2026-11-20' }), everything)).toBeNull()
    expect(decisionOf(message('vacation_response', { what: 'vacation' }), everything)).toBeNull()
  })

  it('leads to the page of what it tells of, where the company has that', () => {
    const request = message('request', { what: 'vacation', requestId: 'r-1' })
    for (const page of ['support', 'monthly_mail']) {
      expect(decisionOf(message(page, {}), everything)).toEqual({ page, search: `?tab=${page}` })
      expect(decisionOf(message(page, {}), () => false)).toBeNull()
    }
    expect(decisionOf(request, one => one !== 'absences')).toBeNull()
  })

  it('is nowhere for what has no page', () => {
    expect(placeOf(message('request', { date: '2026-11-04' }))).toBeNull()
    expect(placeOf(message('from_the_future'))).toBeNull()
  })
})

describe('when a message came', () => {
  const now = new Date('2026-11-20T10:10:00Z')

  it.each([
    ['2026-11-20T06:58:03.214Z', 'heute, 07:58'],
    ['2026-11-19T23:30:00Z', 'heute, 00:30'],
    ['2026-11-19T15:20:00Z', 'gestern, 16:20'],
    ['2026-11-12T06:58:00Z', '12. November, 07:58'],
    ['2025-12-30T08:00:00Z', '30. Dezember 2025, 09:00'],
  ])('%s is %s', (instant, words) => {
    expect(whenOf(instant, now)).toBe(words)
  })
})
