/**
 * The headline that types itself. Its first phrase is real text; the typed text is hidden from screen readers, and has
 * room for the longest phrase, so that nothing moves. With reduced motion the first phrase stays.
 */
import { useEffect, useState } from 'react'
import classes from './Headline.module.css'
import { next, standing, staysMs } from './typing'

export function Headline({ phrases }: { phrases: readonly string[] }) {
  const [typing, setTyping] = useState(() => standing(phrases))
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setTimeout(() => setTyping(next(phrases, typing)), staysMs(phrases, typing, Math.random()))
    return () => clearTimeout(timer)
  }, [phrases, typing])
  const typed = phrases[typing.phrase]?.slice(0, typing.shown)
  return (
    <h1 className={classes.headline}>
      <span className="visually-hidden">{phrases[0]}</span>
      <span aria-hidden="true" className={classes.room}>
        {/* As attributes, so that the page's text contains the headline once. */}
        {phrases.map(phrase => (
          <span key={phrase} className={classes.reserved} data-words={phrase} />
        ))}
        <span className={classes.typed} data-words={typed} />
      </span>
    </h1>
  )
}
