/**
 * Durations in whole minutes and spans of local times: the one form of each, on every page and on the
 * clock's touchscreen; the service writes the same (`kit/german.py`). Days are in `writtenDays.ts`.
 */
import { texts } from './texts'

/** "8h 05m"; a negative one with a minus sign. */
export function hoursMinutes(minutes: number): string {
  const absolute = Math.abs(Math.trunc(minutes))
  const text = `${Math.floor(absolute / 60)}h ${String(absolute % 60).padStart(2, '0')}m`
  return minutes < 0 && absolute > 0 ? `−${text}` : text
}

/** A difference: "+8h 30m", "−0h 15m", "0h 00m". */
export function difference(minutes: number): string {
  return minutes >= 1 ? `+${hoursMinutes(minutes)}` : hoursMinutes(minutes)
}

/** For screen readers: "8 Stunden 5 Minuten". */
export function spokenDuration(minutes: number): string {
  const absolute = Math.abs(Math.trunc(minutes))
  const hours = Math.floor(absolute / 60)
  const minutesLeft = absolute % 60
  const parts = [
    hours > 0 ? texts.hoursSpoken(hours) : '',
    minutesLeft > 0 || hours === 0 ? texts.minutesSpoken(minutesLeft) : '',
  ]
  return (minutes < 0 && absolute > 0 ? '−' : '') + parts.filter(part => part !== '').join(' ')
}

/** "07:00–16:00"; where one of the two is a word, with room around the dash: "07:00 – fehlt". */
export function span(start: string, end: string): string {
  return [start, end].join(/^\d.*\d$/.test(start + end) ? '–' : '\u00a0–\u00a0')
}

/** "07:58" as minutes since midnight. */
export function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
