/** What only the operator can know. Until they have said it, a sample stands there and says that it is one. */
import { type Site, useSite } from '../site'
import classes from './parts.module.css'

export function Given({ name }: { name: keyof Site['operator'] }) {
  const given = useSite()?.operator[name]
  if (given === undefined) return <span className={classes.unknown}>…</span>
  return (
    <span className={classes.given} data-sample={String(given.sample)}>
      {given.text}
      <span className={classes.sampleMark}> (Beispiel)</span>
    </span>
  )
}

/** An address to write to or to call, as a link. */
export function GivenLink({ name }: { name: 'email' | 'phone' | 'privacyEmail' }) {
  const operator = useSite()?.operator
  if (operator === undefined) return <Given name={name} />
  const to = name === 'phone' ? operator.phoneUri.text : `mailto:${operator[name].text}`
  return (
    <a href={to}>
      <Given name={name} />
    </a>
  )
}
