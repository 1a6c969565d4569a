/** A file's progress as a bar and in words; without a known end only as movement. */
import { useId } from 'react'
import classes from './ProgressBar.module.css'
import { texts } from './texts'
import type { Progress } from './transfer'

export function ProgressBar({ label, progress }: { label: string; progress: Progress }) {
  const id = useId()
  const percent = progress === null ? null : Math.round(progress * 100)
  return (
    <div className={classes.progress}>
      <p id={id} className={classes.words}>
        {label} {percent !== null && <span className="tabular">{texts.progress(percent)}</span>}
      </p>
      <progress className={classes.bar} aria-labelledby={id} max={100} value={percent ?? undefined} />
    </div>
  )
}
