/** The product page: functions, construction and security of the clock. */
import { Battery, Building, Chip, Clock, Question, Scale } from '../../../ui/icons'
import { Card, Cards, Closing, Hero, Picture, Section, Way } from '../parts/parts'
import { useAnchor } from '../parts/useAnchor'
import base from '../pictures/base.svg'
import hero from '../pictures/hero.svg'
import scanner from '../pictures/scanner.svg'
import ready from '../shots/uhr-bereit.webp'
import stamped from '../shots/uhr-kommen.webp'
import { Diagram } from './Diagram'
import classes from './Products.module.css'

const SAFE = [
  'Bestätigt wird erst, was dauerhaft gespeichert ist. Kann die Uhr nicht speichern, sagt sie „Nicht gespeichert“.',
  'Jede Sendung ist unterschrieben. Der Server nimmt nur Uhren an, die er kennt, und jeden Stempel genau einmal.',
  'Auf dem Chip steht nur seine Nummer. Namen und Zeiten liegen auf der Uhr und auf dem Server, nicht am Schlüsselbund.',
  'Steht die Zeit der Uhr falsch, merkt sie es und rechnet die wahre Zeit beim nächsten Kontakt nach.',
  'Die Seite des Touchscreens hört nur auf die Uhr selbst; aus dem Netz ist sie nicht zu erreichen.',
] as const

export function Products() {
  useAnchor()
  return (
    <>
      <Hero
        stamp="Produkte · Stempeluhr V2"
        title="Die Uhr, die ja meint, wenn sie ja sagt."
        lead="Touchscreen, NFC-Leser und ein Gedächtnis, das den Stromausfall überlebt. Sie hängt an der Wand, grüßt beim Namen und rechnet mit."
        actions={
          <>
            <Way to="/#konfigurator" as="primary">
              Angebot zusammenstellen
            </Way>
            <Way to="/shop">Zum Shop</Way>
          </>
        }
        picture={{
          src: hero,
          width: 720,
          height: 560,
          alt: 'Eine Hand hält einen Chip an die Stempeluhr neben dem Haken mit der Arbeitsjacke; die Uhr zeigt grün „Kommen 07:58“.',
        }}
      />
      <Section title="Gebaut für nasse Hände und volle Werkstätten." stamp="Was sie kann">
        <Cards columns="three">
          <Card title="Aus zwei Metern zu lesen" picture={<Clock size={30} />}>
            <p>
              Große Ziffern, ganze Farbflächen: Kommen ist grün, Gehen orange, und die Uhrzeit steht immer da.
            </p>
          </Card>
          <Card title="Antwortet im selben Moment" picture={<Chip size={30} />}>
            <p>Der Chip ist noch nicht weg, da steht der Name auf dem Schirm, mit Ton und Licht.</p>
          </Card>
          <Card title="Stempelt ohne Netz" picture={<Battery size={30} />}>
            <p>
              Tagelang, mit denselben Namen und derselben Antwort. Was fehlt, schickt sie nach, sobald es
              geht.
            </p>
          </Card>
          <Card title="Rechnet mit" picture={<Scale size={30} />}>
            <p>Stunden von heute und Saldo stehen nach dem Stempeln da, wenn deine Firma das möchte.</p>
          </Card>
          <Card title="Fragt nach, statt zu raten" picture={<Question size={30} />}>
            <p>„Wann bist du gegangen?“ Deine Antwort wird ein Antrag, keine erfundene Zeit.</p>
          </Card>
          <Card title="Eine Firma, viele Türen" picture={<Building size={30} />}>
            <p>Kommen am Tor, Gehen in der Halle: Alle Uhren einer Firma führen ein Konto.</p>
          </Card>
        </Cards>
      </Section>
      <Section
        title="Das ist kein Bild vom Grafiker."
        stamp="Der Schirm"
        lead="So sieht der Touchscreen aus: die Seite selbst, wie sie auf der Uhr läuft."
      >
        <div className={classes.screens}>
          <figure>
            <Picture
              src={ready}
              width={800}
              height={480}
              alt="Der Schirm in Ruhe: die Uhrzeit groß, darunter „Chip anhalten, fertig.“"
            />
            <figcaption>Bereit.</figcaption>
          </figure>
          <figure>
            <Picture
              src={stamped}
              width={800}
              height={480}
              alt="Der Schirm nach dem Stempeln: „Kommen“, „Hallo, Anna Brandt“, Uhrzeit, Stunden von heute und Saldo"
            />
            <figcaption>Gestempelt.</figcaption>
          </figure>
        </div>
      </Section>
      <Section
        title="Und wo keine Wand ist: im Koffer."
        stamp="Unterwegs"
        lead="Für die Baustelle: tragbare Scanner und ihre Basisstation. Gestempelt wird draußen, übertragen am Abend."
      >
        <div className={classes.screens}>
          <figure>
            <Picture className={classes.drawn} src={scanner} width={400} height={300} alt="" />
            <figcaption>Der Scanner, mit Schlaufe fürs Handgelenk.</figcaption>
          </figure>
          <figure>
            <Picture className={classes.drawn} src={base} width={400} height={300} alt="" />
            <figcaption>Die Basisstation, mit Platz für zwölf.</figcaption>
          </figure>
        </div>
      </Section>
      <Section
        id="sicherheit"
        title="Wo jemand ansetzen könnte, und was dann geschieht."
        stamp="Sicherheit"
        lead="Drück auf einen Punkt: Die Zeichnung zeigt die Uhr im abgesicherten Zustand."
      >
        <Diagram />
        <ul className={classes.safe}>
          {SAFE.map(point => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </Section>
      <Closing
        title="Wie viele Türen hast du?"
        actions={
          <>
            <Way to="/#konfigurator" as="primary">
              Angebot zusammenstellen
            </Way>
            <Way to="/kontakt">Frag uns</Way>
          </>
        }
      >
        Eine Uhr je Tür, an der gestempelt wird. Den Preis siehst du sofort.
      </Closing>
    </>
  )
}
