/** The skeleton of a month. */
import { Skeleton } from '../../ui/states'
import classes from './TimesSkeleton.module.css'

const ROWS = [62, 48, 70, 55, 66, 50]

export function TimesSkeleton({ wide }: { wide: boolean }) {
  return (
    <div className={classes.page}>
      <div className={classes.sums}>
        <Skeleton width={180} height={32} />
        <Skeleton width={110} height={24} />
        <Skeleton width={90} height={24} />
      </div>
      <div className={wide ? classes.table : classes.list}>
        {ROWS.map(width => (
          <div key={width} className={classes.row}>
            <Skeleton width={72} height={18} />
            <Skeleton width={`${width}%`} height={18} />
            <Skeleton width={64} height={18} />
          </div>
        ))}
      </div>
    </div>
  )
}
