/** Time that goes on: the present moment, and how long it is until another. */
import { useEffect, useState } from 'react'
import { now } from './now'

/** Renewed every `everyMs`; asleep in a hidden page. */
export function useNow(everyMs: number): Date {
  const [moment, setMoment] = useState(now)
  useEffect(() => {
    const tick = () => {
      if (document.visibilityState === 'visible') setMoment(now())
    }
    const timer = setInterval(tick, everyMs)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [everyMs])
  return moment
}

/** The time until then, from this very moment: the value of the last render may be a second old. */
export function useSecondsUntil(instant: number | null): number {
  useNow(1_000)
  return instant === null ? 0 : Math.max(0, Math.ceil((instant - Date.now()) / 1_000))
}
