/** The page's clock: it ticks every second, in the company's zone, by the agent's time. */
import { useEffect, useState } from 'react'

export interface Shown {
  hoursMinutes: string
  seconds: string
  day: string
}

export function localTime(moment: number, zone: string): Shown {
  const knownZone = isZone(zone) ? zone : 'UTC'
  const time = new Intl.DateTimeFormat('de-DE', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: knownZone,
  }).format(moment)
  const day = new Intl.DateTimeFormat('de-DE', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: knownZone,
  }).format(moment)
  return { hoursMinutes: time.slice(0, 5), seconds: time.slice(6), day }
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('de-DE', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** "Mittwoch, 18. November, 07:02" */
export function momentIn(instant: string, zone: string): string {
  const { day, hoursMinutes } = localTime(Date.parse(instant), zone)
  return `${day}, ${hoursMinutes}`
}

/** Whether two instants are on the same day in the zone. */
export function sameDay(one: number, other: number, zone: string): boolean {
  const format = new Intl.DateTimeFormat('de-DE', {
    dateStyle: 'short',
    timeZone: isZone(zone) ? zone : 'UTC',
  })
  return format.format(one) === format.format(other)
}

/** Milliseconds since 1970 by the agent's time, updated just after each full second. */
export function useTicking(ahead: number): number {
  const [moment, setMoment] = useState(() => Date.now() + ahead)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const now = Date.now() + ahead
      setMoment(now)
      timer = setTimeout(tick, 1_000 - (((now % 1_000) + 1_000) % 1_000) + 5)
    }
    tick()
    return () => clearTimeout(timer)
  }, [ahead])
  return moment
}

const PATH: readonly (readonly [number, number])[] = [
  [0, 0],
  [4, -2],
  [6, 2],
  [3, 5],
  [-2, 6],
  [-6, 3],
  [-5, -3],
  [-1, -5],
]

/** Shifts the content by a few pixels each minute, against burn-in. */
export function drift(moment: number): { x: number; y: number } {
  const [x, y] = PATH[Math.floor(moment / 60_000) % PATH.length] ?? [0, 0]
  return { x, y }
}
