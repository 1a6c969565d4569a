/** Durations in whole minutes, and the differences of local times. */

/** "8h 05m"; a negative one with a minus sign. */
export function hoursMinutes(minutes: number): string {
  const whole = Math.abs(Math.trunc(minutes))
  const text = `${Math.floor(whole / 60)}h ${String(whole % 60).padStart(2, '0')}m`
  return minutes < 0 && whole > 0 ? `−${text}` : text
}

/** For screen readers: "8 Stunden 5 Minuten". */
export function spokenDuration(minutes: number): string {
  const whole = Math.abs(Math.trunc(minutes))
  const hours = Math.floor(whole / 60)
  const rest = whole % 60
  const parts = [
    hours > 0 ? unit(hours, 'hour') : null,
    rest > 0 || hours === 0 ? unit(rest, 'minute') : null,
  ]
  return (minutes < 0 && whole > 0 ? '−' : '') + parts.filter(part => part !== null).join(' ')
}

function unit(value: number, name: 'hour' | 'minute'): string {
  return new Intl.NumberFormat('de-DE', { style: 'unit', unit: name, unitDisplay: 'long' }).format(value)
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
