/** Stamps that wait for an administrator, one by one. */
import { useDeferredValue } from 'react'
import { HeldActs, useHeld } from '../../../entities/held/HeldActs'
import { texts } from '../../../entities/held/texts'
import { useZone } from '../../../entities/settings/useSettings'
import { RefreshFailed } from '../../../patterns/QueryView'
import { Badge } from '../../../ui/Badge'
import { HOME_ZONE, momentOf } from '../../../ui/days'
import { Question } from '../../../ui/icons'
import { CardList, Section } from '../../../ui/layout'
import classes from './Review.module.css'
import { CHANGES } from './useReview'

const NO_STAMPS: NonNullable<ReturnType<typeof useHeld>['data']> = []

/** Renders nothing without waiting stamps. */
export function HeldStamps({ companyId }: { companyId: string }) {
  const stamps = useHeld(companyId, CHANGES)
  const zone = useZone(companyId) ?? HOME_ZONE
  // Deferred, as in `QueryView`.
  const data = useDeferredValue(stamps.data ?? NO_STAMPS, NO_STAMPS)
  if (data.length === 0)
    return stamps.error === null ? null : <RefreshFailed query={stamps} title={texts.failed} />
  return (
    <Section title={texts.title} count={data.length}>
      <CardList look="joined" label={texts.title} items={data} keyOf={({ id }) => id}>
        {stamp => (
          <div className={classes.held}>
            <span className={classes.row}>
              <span className={classes.who}>
                <strong translate="no">{stamp.tag}</strong>
                <Badge tone="warn" icon={<Question size={16} />}>
                  {texts.states[stamp.state] ?? stamp.state}
                </Badge>
              </span>
              <span className="muted">
                {texts.at(momentOf(new Date(stamp.takenAt), zone), stamp.deviceName)}
              </span>
            </span>
            <HeldActs companyId={companyId} stamp={stamp} />
          </div>
        )}
      </CardList>
    </Section>
  )
}
