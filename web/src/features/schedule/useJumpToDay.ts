/** Jumps to a day of the calendar: shows its month, scrolls to it, and focuses it. */
import { type RefObject, useEffect, useState } from 'react'

export function useJumpToDay(
  place: RefObject<HTMLElement | null>,
  month: string,
  onMonth: (month: string) => void,
) {
  const [wanted, setWanted] = useState<{ day: string } | null>(null)
  useEffect(() => {
    if (wanted === null || wanted.day.slice(0, 7) !== month) return
    const dayCell = place.current?.querySelector(`time[datetime="${wanted.day}"]`)?.closest('td, li')
    if (!dayCell) return
    dayCell.scrollIntoView({ block: 'center' })
    const target = dayCell.querySelector<HTMLElement>('button') ?? (dayCell as HTMLElement)
    target.focus({ preventScroll: true })
  }, [wanted, month, place])
  const lead = (day: string) => {
    if (day.slice(0, 7) !== month) onMonth(day.slice(0, 7))
    setWanted({ day })
  }
  const marked = wanted !== null && wanted.day.slice(0, 7) === month ? wanted.day : null
  return { lead, marked }
}
