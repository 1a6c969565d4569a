/** The privacy statement. Its claims describe this software; `sections/` has the text, `periods.json` the figures. */
import { Link } from 'react-router'
import { Contents } from './Contents'
import classes from './legal.module.css'
import { SECTIONS } from './sections'
import { useReading } from './useReading'

const IDS = SECTIONS.map(({ id }) => id)
const START = 'anfang'
const END = 'ende'

export function Privacy() {
  const { current, settled } = useReading(IDS, START, END)
  return (
    <article id="top" className={classes.privacy} data-settled={settled}>
      <header id={START} className={classes.head}>
        <h1 className={classes.title}>Datenschutzerklärung</h1>
        <p className={classes.lead}>
          Welche Daten Stempelwerk speichert, wozu, auf welcher Grundlage und wie lange.
        </p>
      </header>
      <div className={classes.columns}>
        <Contents sections={SECTIONS} current={current} />
        <div className={classes.text}>
          <div className={classes.short}>
            <p className={classes.shortTitle}>Kurz gesagt</p>
            <ul>
              <li>
                Gespeichert wird, was Zeiterfassung braucht: wer du bist, wann du gestempelt hast, was
                beantragt und was entschieden wurde.
              </li>
              <li>
                Für deine Arbeitszeiten ist dein Arbeitgeber verantwortlich; wir verarbeiten sie für ihn.
              </li>
              <li>Kein Tracking, keine Werbung, kein Newsletter.</li>
              <li>Ein einziges Cookie, und nur, wenn du ein Gerät merken lässt.</li>
              <li>
                Bescheinigungen zu Krankmeldungen liegen verschlüsselt; öffnen können sie in der Anwendung nur
                du und die Verwaltung deiner Firma.
              </li>
            </ul>
          </div>
          {SECTIONS.map(({ id, title, content }, index) => (
            <section key={id} id={id} className={classes.section} aria-labelledby={`${id}-titel`}>
              <h2 id={`${id}-titel`} className={classes.sectionTitle}>
                <span className={classes.number}>{index + 1}.</span> {title}
              </h2>
              {content}
            </section>
          ))}
          <footer id={END} className={classes.end}>
            <a href="#top">Nach oben</a>
            <Link to="/impressum">Impressum</Link>
          </footer>
        </div>
      </div>
    </article>
  )
}
