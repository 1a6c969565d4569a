/** The log by days, an entry a line; what changed and its hash stand behind it. */
import { dayOf, longDay, timeOf } from '../../ui/days'
import { ChevronDown } from '../../ui/icons'
import classes from './AuditPage.module.css'
import { Changes, Hash } from './entryParts'
import { texts } from './texts'
import { type AuditEntry, actorOf, type Words } from './words'

interface AuditDaysProps {
  entries: readonly AuditEntry[]
  words: Words
}

export function AuditDays({ entries, words }: AuditDaysProps) {
  return (
    <section className={classes.days} aria-label={texts.list}>
      {byDay(entries).map(([day, ofDay]) => (
        <section key={day} className={classes.day} aria-label={longDay(day)}>
          <h2 className={classes.date}>{longDay(day)}</h2>
          <ul className={classes.entries}>
            {ofDay.map(entry => (
              <li key={entry.id}>
                <Entry entry={entry} words={words} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

/** As they come: newest first. */
function byDay(entries: readonly AuditEntry[]): [string, AuditEntry[]][] {
  const days = new Map<string, AuditEntry[]>()
  for (const entry of entries) {
    const day = dayOf(new Date(entry.at))
    const known = days.get(day)
    if (known === undefined) days.set(day, [entry])
    else known.push(entry)
  }
  return [...days]
}

function Entry({ entry, words }: { entry: AuditEntry; words: Words }) {
  return (
    <details className={classes.entry}>
      <summary className={classes.line}>
        <time dateTime={entry.at} className={classes.time}>
          {timeOf(new Date(entry.at))}
        </time>
        <span className={classes.sentence}>{words.sentenceOf(entry)}</span>
        <span className={classes.actor}>{actorOf(entry)}</span>
        <ChevronDown size={18} className={classes.opener} />
      </summary>
      <div className={classes.more}>
        <Changes changes={words.changesOf(entry)} />
        <p className={classes.proof}>
          {texts.hash} <Hash hash={entry.hash} />
        </p>
      </div>
    </details>
  )
}
