import { describe, expect, it } from 'vitest'
import { entry } from '../../../../tests/server'
import { LIMITS } from '../samples'
import { limitsOf, lineOf } from './line'

const DAY = '2026-11-20'
const drawnLine = (entries: ReturnType<typeof entry>[], id = entries[0]?.id ?? '', now = 0) => {
  const { begins, pieces } = lineOf(entries, DAY, id, now)
  return { begins, pieces: pieces.map(({ left, width, lacks }) => [left, width, lacks]) }
}

describe('the line of a day', () => {
  it('has each entry at its hours', () => {
    expect(drawnLine([entry(DAY, '06:00', '12:00'), entry(DAY, '12:00', '18:00')])).toEqual({
      begins: 0,
      pieces: [
        [25, 25, null],
        [50, 25, null],
      ],
    })
  })

  it('marks where a time is missing', () => {
    expect(drawnLine([entry(DAY, '06:00', null), entry(DAY, null, '18:00')]).pieces).toEqual([
      [25, 0, 'end'],
      [75, 0, 'start'],
    ])
  })

  it('has a running one up to now', () => {
    expect(drawnLine([entry(DAY, '06:00', null, { running: true })], '', 720).pieces).toEqual([
      [25, 25, null],
    ])
  })

  it('shows a night whole, from noon to noon, but only where it is what is meant', () => {
    const night = entry(DAY, '18:00', '06:00', { id: 'night', workedMinutesRaw: 720 })
    const early = entry(DAY, '06:00', '09:00', { id: 'early' })
    expect(drawnLine([night, early], 'night')).toEqual({ begins: 720, pieces: [[25, 50, null]] })
    expect(drawnLine([night, early], 'early')).toEqual({
      begins: 0,
      pieces: [
        [75, 25, null],
        [25, 12.5, null],
      ],
    })
  })

  it('has what reaches into the day from the one before, and nothing of other days', () => {
    expect(
      drawnLine([
        entry('2026-11-19', '18:00', '06:00', { workedMinutesRaw: 720 }),
        entry('2026-11-21', '06:00', '12:00'),
      ]),
    ).toEqual({ begins: 0, pieces: [[0, 25, null]] })
  })
})

describe('the limits on the line', () => {
  const reached = (flags: string[], entries: ReturnType<typeof entry>[], begins = 0) =>
    limitsOf(entries, DAY, { entryId: entries.at(-1)?.id ?? '', flags, limits: LIMITS }, begins).map(
      ({ kind, at }) => `${kind} ${Math.floor(at / 60)}:${at % 60}`,
    )

  it('are those alone of which something was found', () => {
    const long = [entry(DAY, '06:00', '12:00'), entry(DAY, '12:30', '18:30')]
    expect(reached(['missing_out'], long)).toEqual([])
    expect(reached(['over_10_h'], long)).toEqual(['shift 16:30'])
    expect(reached(['missing_break'], long)).toEqual(['break 12:0', 'break 15:30'])
  })

  it('count no break that was taken off towards the hours, and nothing of other days', () => {
    const day = entry(DAY, '06:00', '17:00', { breakMinutes: 30 })
    const days = [entry('2026-11-19', '08:00', '12:00'), day]
    expect(reached(['over_10_h'], days)).toEqual(['shift 16:30'])
    expect(reached(['missing_break'], days)[0]).toBe('break 12:0')
  })

  it('have a rest from the end of the work before', () => {
    const days = [entry('2026-11-19', '14:00', '23:00'), entry(DAY, '07:00', '12:00')]
    expect(reached(['short_rest'], days)).toEqual(['rest 10:0'])
    expect(reached(['short_rest'], days.slice(1))).toEqual([])
  })

  it('that were never reached, or lie outside of the line, are left out', () => {
    expect(reached(['over_10_h'], [entry(DAY, '06:00', '12:00')])).toEqual([])
    expect(reached(['missing_break'], [entry(DAY, '06:00', '13:00')], 1_000)).toEqual([])
  })
})
