/** The number of waiting items at a menu entry. */
import classes from './CountMark.module.css'

const MOST_COUNT = 99

export function CountMark({ count, words }: { count: number; words: string }) {
  return (
    <span className={classes.mark} data-long={count > MOST_COUNT || undefined}>
      <span aria-hidden="true">{count > MOST_COUNT ? `${MOST_COUNT}+` : count}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
