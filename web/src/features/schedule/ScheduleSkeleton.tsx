/** The skeleton of a plan. */
import { Skeleton } from '../../ui/states'
import classes from './ScheduleSkeleton.module.css'

const ROWS = [54, 62, 48, 58, 66]

export function ScheduleSkeleton({ wide }: { wide: boolean }) {
  return (
    <div className={classes.page}>
      <div className={classes.next}>
        <Skeleton width={wide ? 64 : 56} height={wide ? 68 : 62} />
        <div className={classes.words}>
          <Skeleton width={220} height={18} />
          <Skeleton width={180} height={26} />
        </div>
      </div>
      <Skeleton width={280} height={44} />
      {wide ? (
        <Skeleton height={540} />
      ) : (
        <div className={classes.list}>
          {ROWS.map(width => (
            <div key={width} className={classes.row}>
              <Skeleton width={70} height={18} />
              <Skeleton width={`${width}%`} height={48} />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
