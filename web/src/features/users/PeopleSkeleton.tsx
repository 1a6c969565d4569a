/** The shape of a list of people. */
import { Skeleton } from '../../ui/states'
import classes from './people.module.css'

const ROWS = [46, 62, 38, 54]

export function PeopleSkeleton() {
  return (
    <div className={classes.skeleton}>
      {ROWS.map(width => (
        <div key={width}>
          <Skeleton width={`${width}%`} height={20} />
          <Skeleton width={96} height={40} />
        </div>
      ))}
    </div>
  )
}
