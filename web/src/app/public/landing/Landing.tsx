/** The landing page: a day with the product, from the first stamp to the last. */
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { fetched, withMantine } from '../../../patterns/fetched'
import { BRAND } from '../../../ui/brand'
import { Check, Chip, Offline } from '../../../ui/icons'
import { Coming } from '../../frame/Coming'
import { withQueryClient } from '../../withQueryClient'
import { GivenLink } from '../parts/OperatorFact'
import { Card, Cards, Closing, Picture, Press, Section, Stamp, Way } from '../parts/parts'
import parts from '../parts/parts.module.css'
import { useAnchor } from '../parts/useAnchor'
import safeClock from '../pictures/clock-safe.svg'
import kit from '../pictures/services.svg'
import step1 from '../pictures/steps-1.svg'
import step2 from '../pictures/steps-2.svg'
import step3 from '../pictures/steps-3.svg'
import notebook from '../pictures/team-success.svg'
import { ClockDemo } from './ClockDemo'
import { Headline } from './Headline'
import classes from './Landing.module.css'
import { Modules } from './Modules'
import { QUESTIONS } from './questions'
import { Rays } from './Rays'

const loadConfigurator = withQueryClient(
  withMantine(async () => (await import('../offer/Configurator')).Configurator),
)
const Configurator = fetched(loadConfigurator, <Coming />)

const PHRASES = [
  'Chip dran. Gestempelt.',
  'Kein Netz? Stempelt weiter.',
  'Feierabend ohne Zettel.',
  'Monatsende ohne Suchen.',
]

const CONFIGURATOR = '#konfigurator'

export function Landing() {
  const [open, setOpen] = useState(false)
  const { hash } = useLocation()
  const navigate = useNavigate()
  useAnchor()
  // Not before hydration: the rendered page knows no hash.
  const [asked, setAsked] = useState(false)
  useEffect(() => setAsked(hash === CONFIGURATOR), [hash])
  const close = () => {
    setOpen(false)
    if (asked) navigate({ hash: '' }, { replace: true })
  }
  const offer = (words: string) => (
    <Press onClick={() => setOpen(true)} onPrepare={Configurator.prepare}>
      {words}
    </Press>
  )
  return (
    <>
      <Rays />
      {(open || asked) && (
        <div className={classes.offer}>
          <Configurator onClose={close} />
        </div>
      )}
      <div className={`${parts.hero} ${classes.hero}`}>
        <div className={parts.heroWords}>
          <Stamp>07:58 Kommen</Stamp>
          <Headline phrases={PHRASES} />
          <p className={parts.lead}>
            Deine Leute halten einen Chip an die Uhr, fertig. Die Arbeitszeit steht im selben Moment auf dem
            Handy und am Monatsende im Nachweis. Auch wenn das Internet gerade weg ist.
          </p>
          <div className={parts.actions}>
            {offer('Angebot zusammenstellen')}
            <Way to="#features">So funktioniert es</Way>
          </div>
          <ul className={classes.badges}>
            <li>Offline-Fallback</li>
            <li>Rollen und Freigaben</li>
            <li>Saubere Exporte</li>
          </ul>
        </div>
        <ClockDemo />
      </div>
      <Claims />

      <Section
        id="features"
        stamp="08:00 Auf einen Blick"
        title="Stempeln darf nicht länger dauern als Guten Morgen sagen."
      >
        <Cards columns="three">
          <Card title="Ein Handgriff" picture={<Chip size={30} />}>
            <p>
              Chip an die Uhr halten. Sie grüßt beim Namen und sagt Kommen oder Gehen. Mehr ist nicht zu
              lernen.
            </p>
          </Card>
          <Card title="Kein Netz, kein Problem" picture={<Offline size={30} />}>
            <p>
              Die Uhr speichert jeden Stempel zuerst bei sich und schickt ihn nach, sobald es geht. Auch nach
              Tagen, auch nach einem Stromausfall.
            </p>
          </Card>
          <Card title="Sofort sichtbar" picture={<Check size={30} />}>
            <p>
              Kommen, Gehen, Pausen und Summen stehen im selben Moment unter „Meine Zeiten“, ohne neu zu
              laden.
            </p>
          </Card>
        </Cards>
      </Section>

      <Modules />

      <Section id="how" stamp="10:15 In drei Schritten" title="Am Freitag aufgehängt, am Montag im Dienst.">
        <ol className={`${parts.cards} ${parts.three}`}>
          <Card title="1. Zusammenstellen" picture={<Drawing src={step1} />}>
            <p>
              Zähl die Türen, an denen gestempelt wird, wähl Wand oder QuickFix, und sieh den Preis, während
              du wählst.
            </p>
          </Card>
          <Card title="2. Aufhängen, Chip testen" picture={<Drawing src={step2} />}>
            <p>
              Strom und Netz an die Uhr, den ersten Chip anhalten: Sie sagt sofort, ob sie ihn kennt und wem
              er gehört.
            </p>
          </Card>
          <Card title="3. Auswerten" picture={<Drawing src={step3} />}>
            <p>
              Zeiten, Konto und Abwesenheiten stehen in der Web-Übersicht. Den Monat gibt es als Nachweis, den
              jeder prüfen kann.
            </p>
          </Card>
        </ol>
      </Section>

      <Section stamp="12:04 Pause" title="Jeder hat etwas davon.">
        <Cards columns="three">
          <Card title="In der Werkstatt">
            <p>
              Die eigenen Stunden auf dem Handy, der Resturlaub auf den halben Tag, die Korrektur ohne Gang
              ins Büro. Und ein Monatsnachweis, den jeder <a href="/pruefen">selbst prüfen</a> kann.
            </p>
          </Card>
          <Card title="Im Büro">
            <p>
              Kein Abtippen. Pausen nach dem Arbeitszeitgesetz, Feiertage nach Bundesland, und zu jeder
              Änderung steht im Protokoll, wer sie wann entschieden hat.
            </p>
          </Card>
          <Card title="In der Leitung">
            <p>
              Mehr als zehn Stunden, zu kurze Ruhe: Die Uhr sagt es beim Stempeln und nicht erst der
              Monatsabschluss. Sie warnt; sie verweigert nie einen Stempel.
            </p>
          </Card>
        </Cards>
      </Section>

      <Section
        dark
        stamp="14:20 Sicherheit"
        title="Was auf der Uhr „gespeichert“ heißt, ist gespeichert."
        lead="Arbeitszeit ist Lohn. Darum ist jede Antwort der Uhr ein Versprechen, das auch ein gezogener Stecker nicht bricht."
      >
        <div className={classes.safe}>
          <ul className={classes.points}>
            <li>
              Erst liegt der Stempel auf dem Speicher der Uhr, dann kommt der Ton. Kann sie nicht speichern,
              sagt sie es.
            </li>
            <li>Zweimal geschickt, verspätet oder durcheinander: Jeder Stempel zählt genau einmal.</li>
            <li>
              Uhr und Server unterschreiben, was sie einander sagen. Auf dem Chip steht nur eine Nummer.
            </li>
            <li>Login mit zweitem Faktor, Krankmeldungen verschlüsselt, jede Firma nur bei sich.</li>
          </ul>
          <Picture
            src={safeClock}
            width={640}
            height={460}
            alt="Die Uhr im abgesicherten Zustand: Sie läuft auf Akku und zeigt „Gespeichert · wird gesendet“."
          />
        </div>
        <div className={parts.actions}>
          <Way to="/produkte#sicherheit">Sieh dir die Uhr von innen an</Way>
        </div>
      </Section>

      <Section stamp="15:10 Fragen" title="Was andere zuerst wissen wollen.">
        <div className={classes.questions}>
          {QUESTIONS.map(({ question, answer }) => (
            <details key={question} className={classes.question}>
              <summary>{question}</summary>
              <p>{answer}</p>
            </details>
          ))}
        </div>
      </Section>

      <section className={classes.together}>
        <div id="services">
          <Picture src={kit} width={720} height={360} alt="" />
          <Stamp>15:45 Hand in Hand</Stamp>
          <h2>Selbst aufhängen oder aufhängen lassen.</h2>
          <p>Wir richten ein, lernen Chips an, schulen und bleiben im Pilotmonat erreichbar.</p>
          <p className={classes.ways}>
            <Link to="/services">Sechs Pakete ansehen</Link>
            <Link to="/shop">Zum Shop</Link>
          </p>
        </div>
        <div id="kontakt">
          <Picture src={notebook} width={240} height={180} alt="" />
          <Stamp>16:00 Kurz sprechen</Stamp>
          <h2>Lieber erst fragen?</h2>
          <p>
            Ruf an: <GivenLink name="phone" />
            <br />
            Schreib: <GivenLink name="email" />
          </p>
          <p className={classes.ways}>
            <a href="/kontakt">Zum Kontaktformular</a>
          </p>
        </div>
      </section>

      <Closing
        id="cta"
        stamp="16:31 Gehen"
        title="Feierabend. Und die Stunden stimmen."
        actions={offer('Jetzt Angebot anfordern')}
      >
        Stell {BRAND} in einer Minute zusammen und sieh, was es kostet.
      </Closing>
    </>
  )
}

const Drawing = ({ src }: { src: string }) => <Picture src={src} width={320} height={220} alt="" />

/** The key figures, with their meanings. */
function Claims() {
  return (
    <dl className={classes.claims}>
      <div>
        <dt>weniger Klicks</dt>
        <dd>92 %</dd>
        <dd className={classes.basis}>
          Beispiel: ein Handgriff statt zwölf Klicks und Eingaben in einer Tabelle.
        </dd>
      </div>
      <div>
        <dt>bis zum ersten Stempel</dt>
        <dd>&lt; 30 s</dd>
        <dd className={classes.basis}>Beispiel: ein neuer Chip an einer Uhr, die schon eingerichtet ist.</dd>
      </div>
      <div>
        <dt>CSV/Excel-kompatibel</dt>
        <dd>100 %</dd>
        <dd className={classes.basis}>Klare Spaltennamen, die jede Lohnabrechnung versteht.</dd>
      </div>
    </dl>
  )
}
