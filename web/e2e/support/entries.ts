/** A believable month of entries, and one of every flag. */
import type { TimeEntry } from './service'

let count = 0

export function entry(
  date: string,
  start: string | null,
  end: string | null,
  more: Partial<TimeEntry> = {},
): TimeEntry {
  count += 1
  const isComplete = start !== null && end !== null
  const raw = isComplete ? minutes(start, end) : null
  const breakMinutes = raw === null ? null : raw > 360 ? 30 : 0
  return {
    id: `entry-${count}`,
    date,
    start,
    end,
    running: false,
    breakMinutes,
    workedMinutesRaw: raw,
    workedMinutesNet: raw === null ? null : raw - (breakMinutes ?? 0),
    source: 'clock',
    flags: [],
    clockName: 'Werkstatt',
    ...more,
  }
}

function minutes(start: string, end: string): number {
  const of = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return (of(end) - of(start) + 1440) % 1440
}

/** The month of 20 November 2026, 11:10 in Berlin. */
export function november(): TimeEntry[] {
  return [
    entry('2026-11-02', '07:02', '16:04'),
    entry('2026-11-03', '06:58', '12:01'),
    entry('2026-11-03', '12:45', '16:31'),
    entry('2026-11-04', '07:05', null, { flags: ['missing_out'] }),
    entry('2026-11-05', '07:00', '16:00', { source: 'correction', clockName: null }),
    entry('2026-11-06', '06:55', '18:20', { flags: ['over_10_h', 'long_entry'] }),
    entry('2026-11-09', '21:58', '06:04', { flags: ['shown_differs'] }),
    entry('2026-11-10', '16:00', '22:10', { flags: ['short_rest'] }),
    entry('2026-11-11', null, '16:02', { flags: ['missing_in'] }),
    entry('2026-11-12', '07:03', '13:45', { flags: ['missing_break'], clockName: 'Montagewagen' }),
    entry('2026-11-13', '07:00', '15:30', { flags: ['uncertain_time'] }),
    entry('2026-11-16', '07:01', '16:12', { flags: ['overlap'] }),
    entry('2026-11-17', '06:59', '16:03', { flags: ['late'] }),
    entry('2026-11-18', '07:04', '12:02'),
    entry('2026-11-18', '12:40', '16:48'),
    entry('2026-11-19', '07:02', '16:01'),
    entry('2026-11-20', '07:58', null, { running: true }),
  ]
}

export const NOW = new Date('2026-11-20T10:10:00Z')
