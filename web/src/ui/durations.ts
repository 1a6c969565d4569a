/** Durations in whole minutes, and the differences of local times. */
import { texts } from './texts'

/** "8h 05m"; a negative one with a minus sign. */
export function hoursMinutes(minutes: number): string {
  const whole = Math.abs(Math.trunc(minutes))
  const text = `${Math.floor(whole / 60)}h ${String(whole % 60).padStart(2, '0')}m`
  return minutes < 0 && whole > 0 ? `−${text}` : text
}

/** "30m", "1h 05m": without hours where there are none. */
export function shortDuration(minutes: number): string {
  return hoursMinutes(minutes).replace(/(^|−)0h 0?(\d)/, '$1$2')
}

/** For screen readers: "8 Stunden 5 Minuten". */
export function spokenDuration(minutes: number): string {
  const whole = Math.abs(Math.trunc(minutes))
  const hours = Math.floor(whole / 60)
  const rest = whole % 60
  const parts = [
    hours > 0 ? texts.hoursSpoken(hours) : '',
    rest > 0 || hours === 0 ? texts.minutesSpoken(rest) : '',
  ]
  return (minutes < 0 && whole > 0 ? '−' : '') + parts.filter(part => part !== '').join(' ')
}

/** "07:58" as minutes since midnight. */
export function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** From one local time to the next later one; past midnight by adding a day. */
export function minutesBetween(start: string, end: string): number {
  const difference = minuteOfDay(end) - minuteOfDay(start)
  return difference < 0 ? difference + 1440 : difference
}
