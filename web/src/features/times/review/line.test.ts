import { describe, expect, it } from 'vitest'
import { entry } from '../../../../tests/server'
import { lineOf } from './line'

const DAY = '2026-11-20'
const drawn = (entries: ReturnType<typeof entry>[], id = entries[0]?.id ?? '', now = 0) => {
  const { begins, pieces } = lineOf(entries, DAY, id, now)
  return { begins, pieces: pieces.map(({ left, width, lacks }) => [left, width, lacks]) }
}

describe('the line of a day', () => {
  it('has each entry at its hours', () => {
    expect(drawn([entry(DAY, '06:00', '12:00'), entry(DAY, '12:00', '18:00')])).toEqual({
      begins: 0,
      pieces: [
        [25, 25, null],
        [50, 25, null],
      ],
    })
  })

  it('marks where a time is missing', () => {
    expect(drawn([entry(DAY, '06:00', null), entry(DAY, null, '18:00')]).pieces).toEqual([
      [25, 0, 'end'],
      [75, 0, 'start'],
    ])
  })

  it('has a running one up to now', () => {
    expect(drawn([entry(DAY, '06:00', null, { running: true })], '', 720).pieces).toEqual([[25, 25, null]])
  })

  it('shows a night whole, from noon to noon, but only where it is what is meant', () => {
    const night = entry(DAY, '18:00', '06:00', { id: 'night', workedMinutesRaw: 720 })
    const early = entry(DAY, '06:00', '09:00', { id: 'early' })
    expect(drawn([night, early], 'night')).toEqual({ begins: 720, pieces: [[25, 50, null]] })
    expect(drawn([night, early], 'early')).toEqual({
      begins: 0,
      pieces: [
        [75, 25, null],
        [25, 12.5, null],
      ],
    })
  })

  it('has what reaches into the day from the one before, and nothing of other days', () => {
    expect(
      drawn([
        entry('2026-11-19', '18:00', '06:00', { workedMinutesRaw: 720 }),
        entry('2026-11-21', '06:00', '12:00'),
      ]),
    ).toEqual({ begins: 0, pieces: [[0, 25, null]] })
  })
})
