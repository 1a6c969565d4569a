import { describe, expect, it } from 'vitest'
import {
  bodyOf,
  byPerson,
  type Change,
  cellActionAt,
  corrected,
  inverse,
  leaveOf,
  ledTo,
  marksOf,
  moving,
  NOTHING_DONE,
  pushDone,
  pushRedone,
  pushUndone,
  refusedCells,
  repeated,
  usualTimes,
  without,
  withSteps,
} from './plan'
import { absence, duty, leave } from './samples'

const EARLY = { start: '06:00', end: '14:00' }
const NO_TIMES = { start: null, end: null }
const add = (userId: string, date: string): Change => ({ userId, date, before: null, after: EARLY })
const cells = (plan: ReturnType<typeof withSteps>) =>
  [...plan].flatMap(([id, days]) => [...days.keys()].map(date => `${id} ${date}`)).sort()

describe('a step', () => {
  const move = moving({ userId: 'a', date: '2026-11-23' }, { userId: 'b', date: '2026-11-24' }, EARLY)
  const existingDuty = duty('a', '2026-11-23', EARLY)

  it('is not carried out on a plan that somebody has changed', () => {
    expect(bodyOf(move, [])).toBeNull()
    expect(bodyOf(move, [duty('a', '2026-11-23', NO_TIMES)])).toBeNull()
  })

  it('asks to take away by id and to add by person and day, without times where there are none', () => {
    const addedCell = { userId: 'b', date: '2026-11-24' }
    expect(bodyOf(move, [existingDuty])).toEqual({
      remove: [existingDuty.id],
      add: [{ ...addedCell, ...EARLY }],
    })
    const plain = { changes: [{ ...addedCell, before: null, after: NO_TIMES }] }
    expect(bodyOf(plain, [])).toEqual({ remove: [], add: [addedCell] })
  })

  it('turned around twice is itself, and carried out both ways leaves the plan as it was', () => {
    expect(inverse(inverse(move))).toEqual(move)
    expect(cells(withSteps(byPerson([existingDuty]), [move]))).toEqual(['b 2026-11-24'])
    expect(cells(withSteps(byPerson([existingDuty]), [move, inverse(move)]))).toEqual(['a 2026-11-23'])
  })

  it('knows its refused cells among what is added, and can be had without them', () => {
    const step = {
      changes: [
        { userId: 'a', date: '2026-11-23', before: EARLY, after: null },
        add('b', '2026-11-24'),
        add('c', '2026-11-24'),
      ],
    }
    const refused = refusedCells(step, { 'add.1': 'Nein.', 'add.9': 'x', 'remove.0': 'x', date: 'x' })
    expect(refused).toEqual([[step.changes[2], 'Nein.']])
    expect(without(step, [add('c', '2026-11-24')]).changes).toEqual(step.changes.slice(0, 2))
  })
})

describe('what was done', () => {
  const [one, two] = [{ changes: [add('a', '2026-11-23')] }, { changes: [add('b', '2026-11-23')] }]

  it('goes back and forth, and something new ends what could be done again', () => {
    const both = pushDone(pushDone(NOTHING_DONE, one), two)
    const back = pushUndone(both, two)
    expect(back).toEqual({ done: [one], undone: [two] })
    expect(pushRedone(back, two)).toEqual(both)
    expect(pushDone(back, two)).toEqual({ done: [one, two], undone: [] })
  })

  it('forgets a step that was refused, and knows the part that was not', () => {
    const both = pushDone(pushDone(NOTHING_DONE, one), two)
    expect(corrected(both, one, null).done).toEqual([two])
    expect(corrected(both, one, { changes: [] }).done).toEqual([{ changes: [] }, two])
  })
})

describe('a pattern', () => {
  const rows = [
    duty('a', '2026-11-02', EARLY),
    duty('a', '2026-11-04', NO_TIMES),
    duty('b', '2026-11-03', NO_TIMES),
    duty('a', '2026-11-09', NO_TIMES),
  ]
  const week = { from: '2026-11-02', to: '2026-11-08', until: '2026-11-22' }

  it('of a week is everybody’s, and leaves alone what stands there already', () => {
    const { changes, partial } = repeated(rows, { userId: null, ...week })
    expect(partial).toBe(true)
    expect(changes.map(({ userId, date }) => `${userId} ${date}`)).toEqual([
      'a 2026-11-16',
      'a 2026-11-11',
      'a 2026-11-18',
      'b 2026-11-10',
      'b 2026-11-17',
    ])
    expect(changes[0]?.after).toEqual(EARLY)
  })

  it('of one person goes on at its own length, and ends with the day', () => {
    const { changes } = repeated(rows, {
      userId: 'b',
      from: '2026-11-03',
      to: '2026-11-04',
      until: '2026-11-06',
    })
    expect(changes.map(({ date }) => date)).toEqual(['2026-11-05'])
  })
})

it('the usual times are those of most duties; none is no time', () => {
  const rows = [
    NO_TIMES,
    NO_TIMES,
    NO_TIMES,
    EARLY,
    { start: '07:00', end: null },
    { start: '07:00', end: null },
  ]
  expect(usualTimes(rows)).toEqual([{ start: '07:00', end: null }, EARLY])
})

it('leave and illness stand on their days; what was refused or is merely missing does not', () => {
  const marks = marksOf(
    [leave('a', '2026-10-30', '2026-11-02', { endHalf: true })],
    [
      absence('b', '2026-11-03'),
      absence('b', '2026-11-04', { status: 'declined' }),
      absence('b', '2026-11-05', { kind: 'missing' }),
    ],
    { from: '2026-11-01', to: '2026-11-30' },
  )
  expect([...(marks.get('a') ?? [])].map(([date, { kind, half }]) => [date, kind, half])).toEqual([
    ['2026-11-01', 'vacation', null],
    ['2026-11-02', 'vacation', 'first'],
  ])
  expect([...(marks.get('b')?.keys() ?? [])]).toEqual(['2026-11-03'])
})

it('company holidays that leave does not hold are no days of it', () => {
  const leftOut = [{ startDate: '2026-11-03', endDate: '2026-11-04' }]
  const marks = marksOf([leave('a', '2026-11-02', '2026-11-05', { leftOut })], [], {
    from: '2026-11-01',
    to: '2026-11-30',
  })
  expect([...(marks.get('a')?.keys() ?? [])]).toEqual(['2026-11-02', '2026-11-05'])
})

it('leave that is asked for is no hindrance, and gives way to what is approved; what was declined is nothing', () => {
  const day = ['2026-11-03', '2026-11-03'] as const
  const asked = leave('a', ...day, { status: 'pending', kind: 'wish' })
  const within = { from: '2026-11-01', to: '2026-11-30' }
  const mark = (...rows: Parameters<typeof marksOf>[0]) => marksOf(rows, [], within).get('a')?.get(day[0])
  expect(mark(leave('a', ...day, { status: 'declined' }))).toBeUndefined()
  expect(mark(asked)).toMatchObject({ kind: 'wish', asked: true })
  expect(leaveOf(mark(asked))).toBe('none')
  expect(mark(leave('a', ...day), asked)).toMatchObject({ kind: 'vacation', asked: false })
  expect(leaveOf(mark(leave('a', ...day), asked))).toBe('all')
  expect(leaveOf(mark(leave('a', ...day, { startHalf: true })))).toBe('part')
})

describe('the keys', () => {
  const size = { rows: 20, columns: 30 }
  const from = { row: 5, column: 3 }
  it.each([
    ['ArrowLeft', false, { row: 5, column: 2 }],
    ['ArrowDown', false, { row: 6, column: 3 }],
    ['PageUp', false, { row: 0, column: 3 }],
    ['PageDown', false, { row: 15, column: 3 }],
    ['Home', false, { row: 5, column: 0 }],
    ['End', true, { row: 19, column: 29 }],
    ['x', false, null],
  ])('%s, with Ctrl %s, lead on', (key, ctrl, to) => expect(ledTo(from, key, ctrl, size)).toEqual(to))

  it('lead nowhere beyond the edge', () => {
    expect(ledTo({ row: 0, column: 0 }, 'ArrowUp', false, size)).toBeNull()
    expect(ledTo({ row: 19, column: 29 }, 'ArrowRight', false, size)).toBeNull()
  })

  it('pick up, lay down, put back, add and take away', () => {
    const [here, there] = [
      { userId: 'a', date: '2026-11-02' },
      { userId: 'a', date: '2026-11-03' },
    ]
    expect(cellActionAt('carry', null, here, true)).toBe('pick')
    expect(cellActionAt('toggle', null, here, true)).toBe('remove')
    expect(cellActionAt('carry', null, here, false)).toBe('add')
    expect(cellActionAt('carry', here, there, true)).toBe('drop')
    expect(cellActionAt('toggle', { ...here }, here, true)).toBe('back')
  })
})
