/** Skeletons of the page's parts. */
import { Skeleton } from '../../ui/states'
import classes from './AbsencesSkeleton.module.css'

export function AccountSkeleton() {
  return (
    <div className={classes.account}>
      <Skeleton width={110} height={18} />
      <Skeleton width={220} height={36} />
      <Skeleton height={12} />
      <Skeleton width="70%" height={36} />
    </div>
  )
}

const CARDS = [70, 52, 62]

export function RequestsSkeleton() {
  return (
    <div className={classes.cards}>
      {CARDS.map(width => (
        <div key={width} className={classes.card}>
          <Skeleton width={`${width}%`} height={20} />
          <Skeleton width="46%" height={16} />
        </div>
      ))}
    </div>
  )
}

export function AbsencesSkeleton() {
  return (
    <div className={classes.cards}>
      <div className={classes.card}>
        <Skeleton width="62%" height={20} />
        <Skeleton width="40%" height={16} />
        <Skeleton width="80%" height={44} />
      </div>
    </div>
  )
}
