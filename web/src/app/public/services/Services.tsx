/** What we do around the clock: six packages, and the way from the first call to all doors. */
import { Card, Cards, Closing, Hero, Section, Way } from '../parts/parts'
import kit from '../pictures/services.svg'
import classes from './Services.module.css'

const PACKAGES = [
  {
    name: 'Einrichten',
    for: 'Die Uhr hängt, hat Strom und Netz, und der erste Chip stempelt.',
    holds: ['Ort und Höhe der Uhr festlegen', 'Anschließen, anmelden, testen', 'Kurzanleitung zum Aushängen'],
  },
  {
    name: 'Chips und Leute',
    for: 'Alle stehen im System, jeder mit seinem Chip und seinem Login.',
    holds: ['Alle aus deiner Liste anlegen', 'Chips anlernen und beschriften', 'Logins verteilen'],
  },
  {
    name: 'Regeln',
    for: 'Soll, Pausen, Feiertage und Urlaub sind so eingestellt, wie ihr arbeitet.',
    holds: ['Wochenstunden und Arbeitstage', 'Pausen nach Arbeitszeitgesetz', 'Anfangssalden und Resturlaub'],
  },
  {
    name: 'Schulung',
    for: 'Eine Stunde für alle, die verwalten; zehn Minuten für alle, die stempeln.',
    holds: ['Anträge und Korrekturen entscheiden', 'Monatsende in der Praxis', 'Fragen aus dem Alltag'],
  },
  {
    name: 'Pilotmonat',
    for: 'Wir begleiten den ersten Monat, bis der erste Abschluss stimmt.',
    holds: [
      'Wöchentlicher Blick auf offene Fälle',
      'Vergleich mit den alten Zetteln',
      'Nachstellen der Regeln',
    ],
  },
  {
    name: 'Betreuung',
    for: 'Jemand geht ans Telefon, auch wenn alles schon läuft.',
    holds: [
      'Vereinbarte Antwortzeiten',
      'Neue Versionen und ihre Änderungen',
      'Ersatz für eine ausgefallene Uhr',
    ],
  },
] as const

const ROADMAP = [
  {
    name: 'Kickoff',
    when: 'Tag 1',
    text: 'Wir zählen Türen und Leute und legen fest, was zuerst laufen soll.',
  },
  {
    name: 'Setup',
    when: 'Woche 1',
    text: 'Uhren aufhängen, Chips anlernen, Regeln eintragen. Danach stempelt die erste Gruppe.',
  },
  {
    name: 'Pilot',
    when: 'Monat 1',
    text: 'Eine Abteilung stempelt, die Zettel laufen mit. Am Ende stimmen beide überein.',
  },
  { name: 'Rollout', when: 'danach', text: 'Tür für Tür, im Takt deines Betriebs. Die Zettel kommen weg.' },
] as const

export function Services() {
  return (
    <>
      <Hero
        stamp="Services"
        title="Wir gehen erst, wenn es von allein läuft."
        lead="Eine Stempeluhr ist in einer Stunde aufgehängt. Dass der Monat stimmt, braucht ein bisschen mehr: Das machen wir zusammen."
        actions={
          <>
            <Way to="/kontakt" as="primary">
              Termin anfragen
            </Way>
            <Way to="/#konfigurator">Angebot zusammenstellen</Way>
          </>
        }
        picture={{
          src: kit,
          width: 720,
          height: 360,
          alt: 'Ausgelegt für die Einrichtung: Bohrmaschine, Wasserwaage, Uhr, Kabel, Chips und eine Liste.',
        }}
      />
      <Section title="Nimm, was du brauchst." stamp="Sechs Pakete">
        <Cards columns="three">
          {PACKAGES.map(({ name, for: purpose, holds }, index) => (
            <Card key={name} title={name} picture={<span className={classes.number}>{index + 1}</span>}>
              <p>{purpose}</p>
              <ul className={classes.holds}>
                {holds.map(each => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </Card>
          ))}
        </Cards>
      </Section>
      <Section title="Vom ersten Gespräch bis zur letzten Tür." stamp="Fahrplan">
        <ol className={classes.roadmap}>
          {ROADMAP.map(({ name, when, text }) => (
            <li key={name}>
              <span className={classes.when}>{when}</span>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Closing
        title="Was steht bei dir als Erstes an?"
        actions={
          <>
            <Way to="/kontakt" as="primary">
              Schreib uns
            </Way>
            <Way to="/produkte">Erst die Uhr ansehen</Way>
          </>
        }
      >
        Umfang und Preis der Pakete richten sich nach Uhren und Leuten. Du bekommst sie schriftlich, bevor wir
        anfangen.
      </Closing>
    </>
  )
}
