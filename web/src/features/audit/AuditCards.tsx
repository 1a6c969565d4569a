/** The log as cards: for phones. */
import classes from './AuditPage.module.css'
import { Changes, Hash, Moment } from './entryParts'
import { texts } from './texts'
import { type AuditEntry, actorOf, type Words } from './words'

interface AuditCardsProps {
  entries: readonly AuditEntry[]
  words: Words
}

export function AuditCards({ entries, words }: AuditCardsProps) {
  return (
    <section className={classes.cards} aria-label={texts.list}>
      {entries.map(entry => (
        <article key={entry.id} className={classes.card}>
          <p className={classes.head}>
            <span className={classes.actor}>{actorOf(entry)}</span>
            <Moment at={entry.at} />
          </p>
          <p className={classes.sentence}>{words.sentenceOf(entry)}</p>
          <Changes changes={words.changesOf(entry)} />
          <Hash hash={entry.hash} />
        </article>
      ))}
    </section>
  )
}
