/** The rays in the background of the hero section: they pause when out of view, and do not move with reduced motion. */
import { useEffect, useRef } from 'react'
import type { Rays as Drawn } from './light'
import classes from './Rays.module.css'

const STILL = '(prefers-reduced-motion: reduce)'

export function Rays() {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const place = canvas.current
    if (place === null) return
    let rays: Drawn | null = null
    let isGone = false
    let isVisible = true
    const still = window.matchMedia(STILL)
    const judge = () => rays?.run(isVisible && !document.hidden && !still.matches)
    const watcher = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? true
      judge()
    })
    const fitter = new ResizeObserver(() => rays?.resize())
    const begin = async () => {
      const { draw } = await import('./light')
      if (isGone) return
      rays = draw(place, getComputedStyle(place).getPropertyValue('--rays'))
      if (rays === null) return
      place.dataset.drawn = 'true'
      watcher.observe(place)
      fitter.observe(place)
      judge()
    }
    const soon = setTimeout(() => void begin().catch(() => undefined), 300)
    document.addEventListener('visibilitychange', judge)
    still.addEventListener('change', judge)
    return () => {
      isGone = true
      clearTimeout(soon)
      watcher.disconnect()
      fitter.disconnect()
      document.removeEventListener('visibilitychange', judge)
      still.removeEventListener('change', judge)
      rays?.stop()
    }
  }, [])
  return (
    <div className={classes.ground} aria-hidden="true">
      <canvas ref={canvas} className={classes.rays} />
    </div>
  )
}
