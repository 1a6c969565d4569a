/** The shape of an account that is on its way. */
import { Skeleton } from '../../ui/states'
import classes from './BalanceSkeleton.module.css'

const LINES = [34, 48, 42, 30, 52]

export function BalanceSkeleton() {
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <Skeleton width={130} height={18} />
        <Skeleton width={220} height={44} />
        {LINES.map(width => (
          <div key={width} className={classes.line}>
            <Skeleton width={`${width}%`} height={18} />
            <Skeleton width={80} height={18} />
          </div>
        ))}
      </div>
      <PictureSkeleton />
    </div>
  )
}

export function PictureSkeleton() {
  return (
    <div className={classes.card}>
      <Skeleton width={200} height={20} />
      <Skeleton height={168} />
    </div>
  )
}
