/** Services around the clock: six packages, and the steps from the first call to the installation on all doors. */
import { FOR_THE_OFFICE } from '../landing/modules'
import { IN_THE_MAKING, missing } from '../missing'
import { Card, Cards, Closing, Hero, Section, Way } from '../parts/parts'
import kit from '../pictures/services.svg'
import { PACKAGES } from './packages'
import classes from './Services.module.css'

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
          {PACKAGES.map(({ name, for: purpose, holds, needs = [] }, index) => (
            <Card key={name} title={name} picture={<span className={classes.number}>{index + 1}</span>}>
              <p>{purpose}</p>
              <ul className={classes.holds}>
                {holds.map(module => (
                  <li key={module}>{module}</li>
                ))}
              </ul>
              <Coming needs={needs} />
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

/** The missing modules of a package. */
function Coming({ needs }: { needs: readonly string[] }) {
  const coming = FOR_THE_OFFICE.filter(({ key }) => needs.includes(key) && missing.has(key))
  if (coming.length === 0) return null
  return (
    <p className={classes.coming}>
      {IN_THE_MAKING}: {coming.map(({ label }) => `„${label}“`).join(', ')}
    </p>
  )
}
