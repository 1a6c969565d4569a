/** Says that something is done, and goes by itself after 2.5 s. Never for a secret, nor for what went wrong. */
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import classes from './Banner.module.css'
import { Check } from './icons'

export const BANNER_MS = 2_500

/** The banner's place, and how to say something there. */
export function useBanner(): [ReactNode, (sentence: string) => void] {
  const [said, setSaid] = useState<{ sentence: string } | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), BANNER_MS)
    return () => clearTimeout(timer)
  }, [said])
  const say = useCallback((sentence: string) => setSaid({ sentence }), [])
  const banner = (
    <div className={classes.place} role="status">
      {said !== null && (
        <div className={classes.banner}>
          <Check size={20} />
          {said.sentence}
        </div>
      )}
    </div>
  )
  return [banner, say]
}
