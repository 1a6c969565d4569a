/** The controller, the legal basis, and the data about people and their logins. */
import { GivenLink, OperatorFact } from '../../parts/OperatorFact'
import classes from '../legal.module.css'
import { elapsed, lasting } from '../periods'
import type { Section } from './section'

export const BASICS: readonly Section[] = [
  {
    id: 'verantwortlicher',
    title: 'Verantwortlicher und Kontakt',
    content: (
      <>
        <p>
          Verantwortlich im Sinne des Art.&nbsp;4 Nr.&nbsp;7&nbsp;DSGVO für diese Website und für den Betrieb
          von Stempelwerk unter dieser Adresse ist:
        </p>
        <address className={classes.address}>
          <OperatorFact name="name" />
          <br />
          <OperatorFact name="street" />
          <br />
          <OperatorFact name="city" />
          <br />
          <OperatorFact name="country" />
        </address>
        <p>
          Vertreten durch: <OperatorFact name="represented" />
          <br />
          Telefon: <GivenLink name="phone" />
          <br />
          E-Mail: <GivenLink name="email" />
        </p>
        <p>
          Fragen zum Datenschutz beantworten wir unter <GivenLink name="privacyEmail" />. „Wir“ meint in
          dieser Erklärung immer diesen Betreiber.
        </p>
      </>
    ),
  },
  {
    id: 'rollen',
    title: 'Dein Arbeitgeber und wir',
    content: (
      <>
        <p>
          Stempelst du für eine Firma, dann entscheidet diese Firma, wozu deine Arbeitszeiten, dein Dienstplan
          und deine Abwesenheiten erfasst werden. Für diese Daten ist <strong>dein Arbeitgeber</strong> der
          Verantwortliche. Wir verarbeiten sie für ihn und nach seiner Weisung, auf der Grundlage eines
          Vertrags zur Auftragsverarbeitung (Art.&nbsp;28&nbsp;DSGVO). Mit Fragen zu deinen Zeiten wendest du
          dich deshalb am besten zuerst an deine Firma; kommst du zu uns, leiten wir dein Anliegen weiter.
        </p>
        <p>
          Selbst verantwortlich sind wir für diese Website, für Anfragen, die du uns schickst, und für alles,
          was wir zum sicheren Betrieb brauchen, etwa Serverprotokolle und den Schutz vor dem Erraten von
          Passwörtern.
        </p>
        <p>
          Die Abschnitte <a href="#stammdaten">4</a> bis <a href="#aenderungsprotokoll">18</a> beschreiben,
          was die Software speichert, gleich in wessen Verantwortung. Deine Firma kann dazu eigene Hinweise
          geben; die gehen für ihren Bereich vor.
        </p>
      </>
    ),
  },
  {
    id: 'rechtsgrundlagen',
    title: 'Grundsätze und Rechtsgrundlagen',
    content: (
      <>
        <p>
          Wir erheben nur, was die Zeiterfassung braucht, und geben es an niemanden weiter, der es dafür nicht
          braucht. Je nach Zweck stützt sich die Verarbeitung auf:
        </p>
        <ul>
          <li>
            <strong>Vertrag und Beschäftigung</strong> (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;b&nbsp;DSGVO,
            ergänzend §&nbsp;26&nbsp;BDSG, soweit anwendbar): Login, Dienstplan, Urlaub, Abrechnung der
            Arbeitszeit.
          </li>
          <li>
            <strong>Gesetzliche Pflicht</strong> (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;c&nbsp;DSGVO): Arbeitgeber
            müssen Beginn und Ende der täglichen Arbeitszeit erfassen (§&nbsp;3 Abs.&nbsp;2
            Nr.&nbsp;1&nbsp;ArbSchG; BAG, Beschluss vom 13.&nbsp;September&nbsp;2022, 1&nbsp;ABR&nbsp;22/21),
            Zeiten über der werktäglichen Höchstarbeitszeit aufzeichnen und mindestens 2&nbsp;Jahre
            aufbewahren (§&nbsp;16 Abs.&nbsp;2&nbsp;ArbZG) und in einigen Branchen Aufzeichnungen nach
            §&nbsp;17&nbsp;MiLoG führen.
          </li>
          <li>
            <strong>Berechtigtes Interesse</strong> (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;f DSGVO): sicherer
            Betrieb, Fehlersuche, Abwehr von Angriffen, nachvollziehbare Entscheidungen.
          </li>
          <li>
            <strong>Einwilligung</strong> (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;a&nbsp;DSGVO): nur, was du selbst
            einschaltest, etwa Benachrichtigungen. Du schaltest es jederzeit wieder aus; was bis dahin
            geschah, bleibt rechtmäßig.
          </li>
          <li>
            <strong>Gesundheitsdaten</strong> (Art.&nbsp;9 Abs.&nbsp;2 lit.&nbsp;b&nbsp;DSGVO, §&nbsp;26
            Abs.&nbsp;3&nbsp;BDSG): Krankmeldungen und was daraus für die Arbeit folgt.
          </li>
        </ul>
        <p>
          Eine automatisierte Entscheidung mit rechtlicher Wirkung oder ein Profiling
          (Art.&nbsp;22&nbsp;DSGVO) findet nicht statt. Die Software rechnet und weist hin; über Anträge,
          Korrekturen und Abwesenheiten entscheidet ein Mensch.
        </p>
      </>
    ),
  },
  {
    id: 'stammdaten',
    title: 'Stammdaten',
    content: (
      <>
        <p>
          Damit die Software weiß, wer stempelt und wer was darf, speichert sie zu jedem Konto: den
          Benutzernamen, die Zuordnung zu einer Firma, die Rolle (Beschäftigte, Verwaltung der Firma,
          Systemverwaltung) und die damit verbundenen Rechte, die Nummern deiner Chips mit dem Zeitraum, in
          dem sie dir gehörten, ob das Konto gesperrt ist, und wann es angelegt oder gelöscht wurde.
        </p>
        <p>
          Deine Firma kann ergänzen, was Zeitkonto und Abrechnung brauchen: Personalnummer, Abteilung, Ein-
          und Austritt, Arbeitstage, Wochenstunden, Urlaubsanspruch, Anfangsbestände und die für dich
          geltenden Grenzen der Arbeitszeit. Gelten für dich die Grenzen des Jugend- oder Mutterschutzes,
          lässt das einen Schluss auf dein Alter oder eine Schwangerschaft zu; lesen kann diese Angabe nur,
          wer Personaldaten verwaltet (Art.&nbsp;9 Abs.&nbsp;2 lit.&nbsp;b&nbsp;DSGVO).
        </p>
        <p>
          Kontodaten bleiben ohne feste Frist gespeichert, mindestens bis das Firmenkonto gelöscht wird, wenn
          du nicht vorher ausscheidest. Dann enden Anmeldung, Sitzungen, Passwort und zweiter Faktor sofort,
          und deine Chips gehören dir nicht mehr. Benutzername und Zeiten bleiben zusammen, solange die Zeiten
          aufbewahrt werden müssen; sonst wären sie niemandem mehr zuzuordnen. Danach löscht die Software
          beides von selbst.
        </p>
      </>
    ),
  },
  {
    id: 'zugangsdaten',
    title: 'Zugangsdaten',
    content: (
      <>
        <p>Was dir den Zugang öffnet, speichern wir so, dass es möglichst wenig verrät:</p>
        <ul>
          <li>
            <strong>Passwort:</strong> nur als Argon2id-Hash. Daraus lässt es sich nicht zurückrechnen; auch
            wir kennen es nicht. Ein von der Verwaltung zurückgesetztes Passwort gilt{' '}
            {lasting('resetPassword')} und nur, um ein eigenes zu wählen.
          </li>
          <li>
            <strong>Authenticator-App:</strong> das gemeinsame Geheimnis (TOTP), verschlüsselt; dazu der
            zuletzt verwendete Zeitschritt, damit jeder Code nur einmal gilt.
          </li>
          <li>
            <strong>Wiederherstellungscodes:</strong> nur als Hash; ein benutzter wird gelöscht.
          </li>
          <li>
            <strong>E-Mail-Adresse:</strong> die Adresse, die du für Anmeldecodes verknüpfst. Sie dient auch
            für Benachrichtigungen per E-Mail, wenn du sie einschaltest.
          </li>
        </ul>
        <p>
          Zweiter Faktor und E-Mail-Adresse werden entfernt, wenn der zweite Faktor zurückgesetzt oder dein
          Login gelöscht wird.
        </p>
      </>
    ),
  },
  {
    id: 'anmeldung',
    title: 'Anmeldung und Sitzungen',
    content: (
      <>
        <p>
          Meldest du dich an, entsteht eine Sitzung. Ihr Schlüssel (Token) liegt im lokalen Speicher deines
          Browsers, bei uns nur sein Hash. Eine Sitzung dauert höchstens {lasting('session')} ab der Anmeldung
          und verlängert sich nicht; danach wird sie gelöscht, beim Abmelden, Sperren oder Ändern des
          Passworts schon früher. Zu jeder Sitzung speichern wir Beginn, letzte Nutzung und die Kennung deines
          Browsers, damit du unter „Angemeldete Geräte“ erkennst, was deines ist.
        </p>
        <p>
          Wird ein zweiter Faktor verlangt, bekommst du einen Code per E-Mail oder liest ihn in deiner App.
          Ein gemailter Code gilt {lasting('unfinishedLogin')}, höchstens fünf Versuche und nur einmal;
          gespeichert ist davon ein Hash. Lässt du ein Gerät merken, entfällt der zweite Faktor dort{' '}
          {lasting('remembered')} lang. Dafür setzen wir ein Cookie (<a href="#browser">Abschnitt&nbsp;21</a>
          ), dessen Wert bei jeder Verwendung wechselt.
        </p>
        <p>
          Gegen das Erraten von Passwörtern und Codes zählen wir Fehlversuche je Konto und je Internetadresse.
          Die Zähler tragen statt Namen und IP-Adresse einen Hash daraus und verfallen von selbst: die für
          Codes {lasting('wrongCodes')} nach dem letzten Versuch und der Pause danach, die für Passwörter je
          nach Zahl der Fehlversuche nach Minuten bis etwa einem Tag. Dass ein Konto an einer Internetadresse
          zuhause ist, merken wir uns ebenso als Hash, bis {lasting('familiarAddress')} nach der letzten
          Anmeldung dort. Eine angefangene Anmeldung wird nach {elapsed('unfinishedLogin')} verworfen.
          Rechtsgrundlage ist insoweit Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;f DSGVO.
        </p>
      </>
    ),
  },
]
