/** Faults: silent clocks, clocks with an alarm, and tags without a person. */
import { Link } from 'react-router'
import { nameOf, wordsOf } from '../../entities/alarms/AlarmTable'
import type { Today } from '../../entities/today/useToday'
import { useGet } from '../../patterns/useGet'
import { momentOf } from '../../ui/days'
import { CardList, Section } from '../../ui/layout'
import { texts } from './texts'
import classes from './today.module.css'

interface Trouble {
  key: string
  sentence: string
  detail: string
  to: string
  act: string
}

export function SystemAlerts({ companyId, today }: { companyId: string; today: Today }) {
  const heldStamps = useGet(
    '/api/companies/{id}/held-stamps',
    today.waiting.heldStamps > 0 ? { path: { id: companyId } } : null,
  )
  const tags = new Map<string, { count: number; clock: string }>()
  const stamps = today.waiting.heldStamps > 0 ? (heldStamps.data ?? []) : []
  for (const { tag, deviceName } of stamps.filter(({ state }) => state === 'held_unknown_tag'))
    tags.set(tag, { count: (tags.get(tag)?.count ?? 0) + 1, clock: deviceName })
  const troubles: Trouble[] = [
    ...(today.silentClocks ?? []).map(({ deviceId, name, lastSeen }) => ({
      key: deviceId,
      sentence: texts.silent(name),
      detail: lastSeen === null ? texts.neverSeen : texts.lastSeen(momentOf(new Date(lastSeen))),
      to: '?tab=devices',
      act: texts.toDevices,
    })),
    ...(today.alarms ?? []).map(alarm => ({
      key: alarm.id,
      sentence: texts.alarm(nameOf(alarm), wordsOf(alarm)),
      detail: alarm.hint ?? '',
      to: '?tab=devices',
      act: texts.toDevices,
    })),
    ...[...tags].map(([tag, { count, clock }]) => ({
      key: tag,
      sentence: texts.unknownTag(tag),
      detail: texts.stampedAt(texts.stamps(count), clock),
      to: '?tab=review',
      act: texts.whose,
    })),
  ]
  if (troubles.length === 0) return null
  return (
    <Section title={texts.technics} count={troubles.length}>
      <CardList label={texts.technics} items={troubles} keyOf={trouble => trouble.key} look="joined">
        {trouble => (
          <div className={classes.line}>
            <span className={classes.waits}>
              <span>{trouble.sentence}</span>
              <span>{trouble.detail}</span>
            </span>
            <Link to={trouble.to}>{trouble.act}</Link>
          </div>
        )}
      </CardList>
    </Section>
  )
}
