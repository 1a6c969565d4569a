/** All waiting items, oldest first: decided in the panel, or on the page with more details. */
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { components } from '../../api/schema'
import { addressOf } from '../../entities/absences/place'
import { restsOf, usePreview, Warnings } from '../../entities/absences/preview'
import { HeldActs } from '../../entities/held/HeldActs'
import { PersonLink } from '../../entities/people/PersonLink'
import type { Today } from '../../entities/today/useToday'
import { type Action, DecideList } from '../../patterns/decide/DecideList'
import { QueryView } from '../../patterns/QueryView'
import { Facts, Section } from '../../ui/layout'
import { SkeletonRows } from '../../ui/states'
import { texts } from './texts'
import classes from './today.module.css'
import { decide, useWaitingItems } from './useWaitingItems'
import type { Item } from './waiting'

interface DecisionsProps {
  companyId: string
  today: Today
  /** The time of the service's answer. */
  at: number
}

export function Decisions({ companyId, today, at }: DecisionsProps) {
  const items = useWaitingItems(companyId, today, at)
  const actionsOf = useActions(companyId)
  return (
    <Section title={texts.toDecide}>
      <QueryView query={items} failed={texts.toDecideFailed} skeleton={<SkeletonRows />}>
        {known => (
          <DecideList
            label={texts.toDecide}
            items={known}
            keyOf={item => item.key}
            nameOf={item => `${item.name}, ${item.what}`}
            row={item => <Row item={item} />}
            detail={item => <Detail companyId={companyId} item={item} />}
            actions={actionsOf}
            kindOf={item => texts.kinds[item.kind]}
            failed={texts.decideFailed}
            empty={<p className="muted">{allDone(today)}</p>}
          />
        )}
      </QueryView>
    </Section>
  )
}

/** "31 von 34" counts people with a duty so far; those present without one are not counted. */
export function allDone({ present, missing }: Today): string {
  const presentCount = present?.length ?? 0
  const expected = presentCount + (missing?.length ?? 0)
  return expected === 0 ? texts.allDone : texts.allDoneOf(presentCount, expected)
}

function useActions(companyId: string): (item: Item) => readonly Action<Item>[] {
  const queries = useQueryClient()
  const send =
    (yes: boolean, overAllowance = false) =>
    (item: Item, sentence: string) =>
      decide(companyId, item, yes, sentence, overAllowance).finally(
        () => void queries.invalidateQueries({ type: 'active' }),
      )
  const forceApprove = { code: 'over_allowance', key: 't', label: texts.anyway, act: send(true, true) }
  return item => {
    if (item.kind === 'elsewhere' || item.kind === 'held') return []
    const yes = { label: texts.yes[item.kind], tone: 'primary', act: send(true) } as const
    const no = { label: texts.no, tone: 'danger', act: send(false) } as const
    // Cancellations have their own letters, so that a letter has one meaning for a selection.
    if (item.kind === 'wish')
      return [
        { ...yes, key: 's', needsSentence: true },
        { ...no, key: 'b', label: texts.keep },
      ]
    if (item.kind === 'review') return [{ ...yes, key: 'l' }]
    return [
      { ...yes, key: 'a', again: forceApprove },
      { ...no, key: 'd' },
    ]
  }
}

const Row = ({ item }: { item: Item }) => (
  <span className={classes.waits}>
    <span>{item.name}</span>
    <span>{texts.whatWhen(item.what, item.when)}</span>
  </span>
)

function Detail({ companyId, item }: { companyId: string; item: Item }) {
  const ofReview = item.kind === 'review' || item.kind === 'held'
  return (
    <>
      <h3>
        {item.userId === undefined ? item.name : <PersonLink userId={item.userId} username={item.name} />}
      </h3>
      <Facts facts={item.facts} />
      {item.kind === 'request' && <ComesTo leave={item.leave} />}
      {item.kind === 'held' && <HeldActs companyId={companyId} stamp={item.stamp} />}
      <Link to={item.place === undefined ? '?tab=review' : addressOf(item.place)}>
        {ofReview ? texts.toReview : texts.toAbsences}
      </Link>
    </>
  )
}

/** The remaining days, and conflicts; until they are loaded, the request's own data suffices. */
function ComesTo({ leave }: { leave: components['schemas']['RequestRow'] }) {
  const { data } = usePreview(leave.userId, leave, leave.id)
  if (data === undefined) return null
  return (
    <>
      {leave.kind === 'vacation' && <Facts facts={restsOf(data)} />}
      <Warnings seen={data} name={leave.username} />
    </>
  )
}
