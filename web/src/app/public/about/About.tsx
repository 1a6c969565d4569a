/** The page about its makers and their reasons. */
import { BRAND } from '../../../ui/brand'
import { Card, Cards, Closing, Hero, Picture, Section, Way } from '../parts/parts'
import bench from '../pictures/about.svg'
import backend from '../pictures/team-backend.svg'
import design from '../pictures/team-design.svg'
import hardware from '../pictures/team-hardware.svg'
import success from '../pictures/team-success.svg'
import classes from './About.module.css'

const STATS = [
  {
    figure: '≈ 5 min',
    what: 'bis zum Go-live',
    basis: 'Beispiel: Firma anlegen, Uhr anmelden, Chip zuordnen.',
  },
  { figure: '100 %', what: 'Weboberfläche', basis: 'Nichts zu installieren, auf keinem Rechner.' },
  {
    figure: 'modular',
    what: 'Funktionen und Integrationen',
    basis: 'Jede Firma bekommt freigeschaltet, was sie braucht.',
  },
] as const

const TEAM = [
  {
    name: 'Backend',
    picture: backend,
    text: 'Sorgt dafür, dass jeder Stempel genau einmal zählt, egal wie oft er ankommt.',
  },
  { name: 'Frontend-Design', picture: design, text: 'Macht Seiten, die man versteht, bevor man sie liest.' },
  {
    name: 'Hardware und Uhren-Firmware',
    picture: hardware,
    text: 'Zieht Stecker, bis nichts mehr verloren geht.',
  },
  {
    name: 'Customer Success',
    picture: success,
    text: 'Kommt mit, hört zu und bleibt bis zum ersten Monatsende.',
  },
] as const

const MILESTONES = [
  {
    when: 'Mai 2025',
    what: 'Gründung',
    text: 'Aus der Idee einer Uhr, der man glaubt, wird ein Produkt.',
  },
  {
    when: 'August 2025',
    what: 'Stempeluhr V2',
    text: 'Mit Touchscreen und Weboberfläche: Alle sehen ihre Zeiten selbst.',
  },
  { when: 'Heute', what: 'Skalierung', text: 'Rollouts, Integrationen und SLA-Pakete.' },
] as const

export function AboutUs() {
  return (
    <>
      <Hero
        stamp="Über uns"
        title="Wir mögen Uhren, denen man glaubt."
        lead={`${BRAND} ist Zeiterfassung für Betriebe, in denen gearbeitet und nicht getippt wird.`}
        actions={
          <>
            <Way to="/#kontakt" as="primary">
              Sprich mit uns
            </Way>
            <Way to="/produkte">Zur Uhr</Way>
          </>
        }
        picture={{
          src: bench,
          width: 720,
          height: 420,
          alt: 'Unsere Werkbank: eine geöffnete Uhr unter der Lupe, Werkzeug an der Wand, eine Uhr im Dauerlauf.',
        }}
      />
      <Section title="Niemand soll um seine Stunden streiten." stamp="Unser Auftrag">
        <div className={classes.mission}>
          <p>
            Arbeitszeit ist Lohn, Feierabend und Vertrauen. Wer sie misst, muss auch dann die Wahrheit sagen,
            wenn Netz, Strom oder Uhrzeit nicht mitspielen. Und alle müssen nachsehen können, was gemessen
            wurde: die, die arbeiten, genauso wie die, die zahlen.
          </p>
          <dl>
            {STATS.map(({ figure, what, basis }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{figure}</dd>
                <dd className={classes.basis}>{basis}</dd>
              </div>
            ))}
          </dl>
        </div>
      </Section>
      <Section title="Woran du uns messen kannst." stamp="Vier Werte">
        <Cards columns="four">
          <Card title="Tempo und Pragmatismus">
            <p>
              Lieber am Freitag eine Uhr, die stempelt, als im Frühjahr ein Konzept. Was stört, ändern wir.
            </p>
          </Card>
          <Card title="Sicherheit von Anfang an">
            <p>
              Kein Stempel geht verloren, keiner zählt doppelt, keine Firma sieht die andere. Das prüfen wir
              bei jeder Änderung.
            </p>
          </Card>
          <Card title="Partnerschaft">
            <p>
              Wir sagen, was noch nicht geht, bevor du es merkst. Und wir gehen erst, wenn der Monat stimmt.
            </p>
          </Card>
          <Card title="Modular und offen">
            <p>
              Freigeschaltet wird, was du brauchst. Nachweise sind offene Dateien, die jeder selbst prüfen
              kann.
            </p>
          </Card>
        </Cards>
      </Section>
      <Section title="Vier Werkbänke, ein Produkt." stamp="Das Team">
        <Cards columns="four">
          {TEAM.map(({ name, picture, text }) => (
            <Card
              key={name}
              title={name}
              picture={<Picture className={classes.desk} src={picture} width={240} height={180} alt="" />}
            >
              <p>{text}</p>
            </Card>
          ))}
        </Cards>
      </Section>
      <Section title="Bisher." stamp="Drei Stationen">
        <ol className={classes.milestones}>
          {MILESTONES.map(({ when, what, text }) => (
            <li key={when}>
              <span>{when}</span>
              <div>
                <h3>{what}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Section>
      <Closing
        title="Die nächste Station könnte bei dir sein."
        actions={
          <>
            <Way to="/#kontakt" as="primary">
              Sprich mit uns
            </Way>
            <Way to="/#konfigurator">Angebot zusammenstellen</Way>
          </>
        }
      >
        Erzähl uns, wie bei euch heute gestempelt wird. Den Rest sehen wir gemeinsam.
      </Closing>
    </>
  )
}
