/** The imprint (§ 5 DDG): the operator of this installation. Missing facts are marked as samples. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { GivenLink, OperatorFact } from '../parts/OperatorFact'
import parts from '../parts/parts.module.css'
import { useSite } from '../site'
import classes from './legal.module.css'

export function Imprint() {
  const site = useSite()
  return (
    <article className={classes.imprint}>
      <header className={classes.head}>
        {site !== null && (
          <p className={parts.badge} data-hidden={String(site.complete)}>
            In Gründung / Daten werden ergänzt
          </p>
        )}
        <h1 className={classes.title}>Impressum</h1>
        <p className={classes.date}>
          Stand: {site === null ? '…' : <time dateTime={site.today}>{site.todayText}</time>}
        </p>
      </header>

      <section className={classes.facts} aria-labelledby="anbieter">
        <h2 id="anbieter" className={classes.partTitle}>
          Angaben gemäß §&nbsp;5&nbsp;DDG
        </h2>
        <dl>
          <Fact name="Anbieter">
            <address className={classes.address}>
              <OperatorFact name="name" />
              <br />
              <OperatorFact name="street" />
              <br />
              <OperatorFact name="city" />
              <br />
              <OperatorFact name="country" />
            </address>
            {site !== null && (
              <p className={classes.follows} data-sample={String(site.operator.street.sample)}>
                Die Postanschrift folgt; bis dahin steht hier ein Beispiel.
              </p>
            )}
          </Fact>
          <Fact name="Vertreten durch">
            <OperatorFact name="represented" />
          </Fact>
          <Fact name="E-Mail">
            <GivenLink name="email" />
          </Fact>
          <Fact name="Telefon">
            <GivenLink name="phone" />
          </Fact>
          <Fact name="Registereintrag">
            <span className={classes.unmarked}>
              <OperatorFact name="register" />
            </span>
          </Fact>
          <Fact name={'Umsatzsteuer-ID nach §\u00a027a\u00a0UStG'}>
            <span className={classes.unmarked}>
              <OperatorFact name="vatId" />
            </span>
          </Fact>
          <Fact name={'Verantwortlich für den Inhalt nach §\u00a018 Abs.\u00a02\u00a0MStV'}>
            <OperatorFact name="represented" />
            <br />
            Anschrift wie oben
          </Fact>
        </dl>
      </section>

      <div className={classes.text}>
        <Part title="Haftung für Inhalte">
          <p>
            Für eigene Inhalte auf diesen Seiten sind wir nach den allgemeinen Gesetzen verantwortlich. Wir
            erstellen sie sorgfältig; dass sie jederzeit richtig, vollständig und aktuell sind, können wir
            nicht gewährleisten. Angaben zu Recht und Gesetz ersetzen keine Beratung im Einzelfall.
          </p>
          <p>
            Soweit wir fremde Informationen übermitteln oder speichern, gelten die Haftungsregeln der
            Art.&nbsp;4 bis&nbsp;8 der Verordnung (EU)&nbsp;2022/2065 (Digital Services Act), auf die §&nbsp;7
            Abs.&nbsp;1&nbsp;DDG verweist. Wir sind danach nicht verpflichtet, solche Informationen allgemein
            zu überwachen oder nach Umständen zu forschen, die auf eine rechtswidrige Tätigkeit hindeuten
            (Art.&nbsp;8). Erfahren wir von einem rechtswidrigen Inhalt, entfernen oder sperren wir ihn
            unverzüglich. Hinweise nehmen wir unter der oben genannten E-Mail-Adresse entgegen.
          </p>
        </Part>
        <Part title="Haftung für Links">
          <p>
            Führt ein Link zu einer fremden Website, ist für deren Inhalt verantwortlich, wer sie anbietet.
            Beim Setzen eines Links prüfen wir, ob dort etwas erkennbar Rechtswidriges steht. Eine ständige
            Kontrolle fremder Seiten ist ohne konkreten Anlass nicht zumutbar; erfahren wir von einem
            Rechtsverstoß, entfernen wir den Link.
          </p>
        </Part>
        <Part title="Urheberrecht">
          <p>
            Texte, Bilder, Zeichnungen und die Gestaltung dieser Seiten unterliegen dem deutschen
            Urheberrecht. Wer sie über die gesetzlich erlaubten Zwecke hinaus vervielfältigen, bearbeiten oder
            verbreiten will, braucht die Zustimmung der Person oder Firma, die die Rechte daran hat. Wo
            Inhalte nicht von uns stammen, achten wir die Rechte anderer; fällt dir eine Verletzung auf, sag
            uns bitte Bescheid, und wir beheben sie.
          </p>
        </Part>
        <Part title="Verbraucherstreitbeilegung">
          <p>
            Unser Angebot richtet sich an Unternehmen. Wir sind weder bereit noch verpflichtet, an
            Streitbeilegungsverfahren vor einer Verbraucherschlichtungsstelle teilzunehmen
            (§&nbsp;36&nbsp;VSBG). Die Plattform der Europäischen Union zur Online-Streitbeilegung wurde am
            20.&nbsp;Juli&nbsp;2025 eingestellt.
          </p>
        </Part>
        <footer className={classes.end}>
          <Link to="/datenschutz">Datenschutzerklärung</Link>
          <Link to="/kontakt">Kontakt</Link>
        </footer>
      </div>
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h2 className={classes.partTitle}>{title}</h2>
      {children}
    </section>
  )
}
