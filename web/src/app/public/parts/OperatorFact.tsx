/** Facts that only the operator knows. Missing facts show a sample that is marked as one. */
import { type Site, useSite } from '../site'
import classes from './parts.module.css'

export function OperatorFact({ name }: { name: keyof Site['operator'] }) {
  const fact = useSite()?.operator[name]
  if (fact === undefined) return <span className={classes.unknown}>…</span>
  return (
    <span className={classes.given} data-sample={String(fact.sample)}>
      {fact.text}
      <span className={classes.sampleMark}> (Beispiel)</span>
    </span>
  )
}

/** An address to write to or to call, as a link. */
export function GivenLink({ name }: { name: 'email' | 'phone' | 'privacyEmail' }) {
  const operator = useSite()?.operator
  if (operator === undefined) return <OperatorFact name={name} />
  const href = name === 'phone' ? operator.phoneUri.text : `mailto:${operator[name].text}`
  return (
    <a href={href}>
      <OperatorFact name={name} />
    </a>
  )
}
