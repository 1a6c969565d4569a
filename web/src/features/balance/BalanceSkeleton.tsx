/** The skeleton of an account. */
import { Card } from '../../ui/layout'
import { Skeleton } from '../../ui/states'

const LINES = [34, 48, 42, 30, 52]

export function BalanceSkeleton() {
  return (
    <>
      <Card>
        <Skeleton width={130} height={18} />
        <Skeleton width={220} height={44} />
        {LINES.map(width => (
          <Skeleton key={width} width={`${width}%`} height={18} />
        ))}
      </Card>
      <PictureSkeleton />
    </>
  )
}

export function PictureSkeleton() {
  return (
    <Card>
      <Skeleton width={200} height={20} />
      <Skeleton height={168} />
    </Card>
  )
}
