/** Parses durations in a field: "38:30", "-4:00", "38" for whole hours. */
import type { KeyboardEvent } from 'react'

const TYPED = /^([-−+]?)(\d{1,4})(?::([0-5]\d?))?$/

/** In minutes; null for an empty text, undefined for an invalid one. */
export function minutesFrom(text: string): number | null | undefined {
  const bare = text.trim()
  if (bare === '') return null
  const [, sign, hours, minutes = '0'] = TYPED.exec(bare) ?? []
  if (hours === undefined || (minutes.length === 1 && minutes !== '0')) return undefined
  const totalMinutes = Number(hours) * 60 + Number(minutes)
  return sign === '' || sign === '+' ? totalMinutes : -totalMinutes
}

/** As a field shows it: "38:30", "-4:00"; empty for null. */
export function asTyped(minutes: number | null): string {
  if (minutes === null) return ''
  const absolute = Math.abs(minutes)
  return `${minutes < 0 ? '-' : ''}${Math.floor(absolute / 60)}:${String(absolute % 60).padStart(2, '0')}`
}

export const STEP_MINUTES = 300 / 60

/** Arrow keys step by 300 s; invalid text stays as it is. */
export function steps(value: string, set: (value: string) => void) {
  return {
    inputMode: 'text' as const,
    autoComplete: 'off',
    onKeyDown: (event: KeyboardEvent) => {
      const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
      const minutes = minutesFrom(value)
      if (way === undefined || minutes === undefined) return
      event.preventDefault()
      set(asTyped(Math.max(0, (minutes ?? 0) + way * STEP_MINUTES)))
    },
  }
}
