/** Notifications that the service sends, and its logs. */
import { useSite } from '../../site'
import classes from '../legal.module.css'
import { elapsed, lasting } from '../periods'
import type { Section } from './section'

export const SERVICE: readonly Section[] = [
  {
    id: 'nachrichten',
    title: 'Nachrichten, Push und Kalenderadresse',
    content: (
      <>
        <p>
          Was dich betrifft, liegt in deinem Posteingang: Entscheidungen über Anträge, Übergaben, Änderungen
          am Dienstplan. Nachrichten werden nach {elapsed('messages')} gelöscht, gelesen oder nicht.
        </p>
        <p>
          <strong>Push</strong> ist aus, bis du es einschaltest. Dann speichern wir die Adresse, die dein
          Browser bei seinem Push-Dienst hat (Google, Mozilla, Apple oder Microsoft), verschlüsselt. Über sie
          schicken wir ein leeres Signal; dein Gerät zeigt dazu nur „Neue Nachricht“. Inhalt und Anlass
          erfährt der Push-Dienst nicht, wohl aber, dass und wann unser Server deinem Gerät etwas sagt. Die
          Anmeldung zu Push endet, wenn du dich abmeldest oder es ausschaltest, und wenn dein Konto gesperrt
          wird (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;a DSGVO).
        </p>
        <p>
          <strong>Kalenderadresse:</strong> Erstellst du eine, kann jeder, der sie kennt, deine Dienste der
          letzten {lasting('calendarBefore')} und der nächsten {lasting('calendarAfter')} mit deinem
          Benutzernamen und deiner Firma abrufen, auch der Anbieter deiner Kalender-App. Bei uns liegt nur ein
          Hash der Adresse. Sie gilt, bis du sie aufhebst oder ersetzt oder dein Konto gesperrt oder gelöscht
          wird.
        </p>
      </>
    ),
  },
  {
    id: 'e-mail',
    title: 'E-Mail-Versand',
    content: (
      <>
        <p>
          Die Software verschickt E-Mails nur, wenn der Betreiber einen Mailserver eingerichtet hat:
          Anmeldecodes (mit Benutzername, Firma und Code) und, wenn du sie einschaltest, den Hinweis, dass
          eine Nachricht wartet, ohne ihren Inhalt. Bilder oder Zählpixel enthalten diese E-Mails nicht.
          Soweit deine Firma einen Monatsversand nutzt, gehen Auswertungen an die Empfänger, die sie dafür
          bestimmt.
        </p>
        <p>
          Empfänger sind unser Mailserver und der Anbieter deines Postfachs. Hinweise, die sich nicht
          zustellen lassen, werden einige Male wiederholt, dann aufgegeben und nach weiteren{' '}
          {elapsed('failedMails')} vergessen. Protokolliert wird, dass ein Versand misslang, nicht die
          Adresse.
        </p>
      </>
    ),
  },
  {
    id: 'support',
    title: 'Support-Anfragen',
    content: (
      <p>
        Soweit dir in der Anwendung ein Support-Formular angeboten wird, speichern wir, was du
        hineinschreibst: Betreff, Kategorie, Dringlichkeit, Nachricht und E-Mail-Adresse für die Antwort, dazu
        deine Firma, den Zeitpunkt und den Stand der Bearbeitung. Geräteprotokolle hängen nur an, wenn du das
        ankreuzt, höchstens 100&nbsp;Einträge. Lesen können das unsere System-Admins. Vorgesehen ist,
        Support-Anfragen nach {elapsed('support')} zu löschen (Art.&nbsp;6 Abs.&nbsp;1 lit.&nbsp;b und f
        DSGVO).
      </p>
    ),
  },
  {
    id: 'protokolle',
    title: 'Server- und Fehlerprotokolle',
    content: (
      <>
        <p>
          Bei jedem Aufruf schreibt der Server eine Zeile: Zeitpunkt, Methode, Pfad (darin können Kennungen
          stehen), Ergebnis, Dauer, eine zufällige Kennung und die IP-Adresse, von der der Aufruf kam.
          Parameter der Adresse, Kopfzeilen und Inhalte schreibt er nicht, also weder Tokens noch Passwörter;
          bei Kalenderadressen fehlt auch der geheime Teil. Misslingt eine Anmeldung, steht die IP-Adresse
          dabei, nicht der Name. Wir brauchen das, um Fehler und Angriffe zu erkennen (Art.&nbsp;6 Abs.&nbsp;1
          lit.&nbsp;f DSGVO). Vorgesehen ist, diese Protokolle nach {elapsed('serverLogs')} zu löschen; länger
          nur, was einen konkreten Vorfall belegt, bis er geklärt ist.
        </p>
        <p>
          Damit niemand den Dienst überlastet, zählt der Server Aufrufe je Konto oder IP-Adresse. Diese Zähler
          stehen nur im Arbeitsspeicher.
        </p>
        <p>
          Uhren schicken uns Fehler- und Geräteprotokolle, etwa dass der Leser nicht antwortet. Sie werden
          nach {elapsed('deviceLogs')}, also einer Woche, gelöscht.
        </p>
      </>
    ),
  },
  {
    id: 'aenderungsprotokoll',
    title: 'Änderungsprotokoll',
    content: (
      <>
        <p>
          Jede Entscheidung über Zeiten, Personen, Zugänge und Geräte wird festgehalten: wer, wann, was, über
          wen, was vorher galt und was nachher. Das schützt dich wie deine Firma; ohne dieses Protokoll ließe
          sich eine Arbeitszeit unbemerkt ändern. Stempel, An- und Abmeldungen stehen nicht darin.
        </p>
        <p>
          Einträge sind durch Prüfsummen miteinander verkettet und lassen sich mit der Software weder ändern
          noch löschen. Sie enthalten Kennungen, Tage und Zeiten; Benutzernamen, Chipnummern und was Menschen
          sonst in Worte fassen, liegen getrennt davon, sodass es gelöscht werden kann, ohne dass die Kette
          bricht. Einsehen können das Protokoll die Verwaltung deiner Firma und unsere System-Admins. Es
          bleibt, solange das Firmenkonto besteht und die Zeiten aufbewahrt werden, die es belegt (Art.&nbsp;6
          Abs.&nbsp;1 lit.&nbsp;c und f, Art.&nbsp;5 Abs.&nbsp;2&nbsp;DSGVO).
        </p>
      </>
    ),
  },
  {
    id: 'kontaktformular',
    title: 'Kontaktformular und Angebotsanfrage',
    content: <Forms />,
  },
  {
    id: 'newsletter-und-analyse',
    title: 'Kein Newsletter, keine Analyse',
    content: (
      <>
        <p>
          Wir verschicken <strong>keinen Newsletter</strong>. Die Seite „Updates“ unter der Adresse
          /newsletter ist eine Liste der Versionen; dort wird nichts bestellt und keine Adresse erhoben.
          Sollten wir eines Tages einen Newsletter anbieten, dann nur mit doppelter Bestätigung
          (Double-Opt-in) und einem Abmeldelink in jeder Ausgabe, und diese Erklärung würde vorher ergänzt.
        </p>
        <p>
          Wir setzen <strong>keine Analyse- oder Werbewerkzeuge</strong> ein, weder auf diesen Seiten noch für
          angemeldete Personen: keine Besuchsstatistik, keine Zählpixel, keine Wiedererkennung über Seiten
          hinweg, keine Profile. Schriften, Bilder und Programmcode kommen von diesem Server; andere Anbieter
          werden beim Lesen dieser Seiten nicht angesprochen. Für den Betrieb zählen wir nur Technisches ohne
          Personenbezug, etwa wie viele Aufrufe es gab und wie lange sie dauerten.
        </p>
      </>
    ),
  },
]

/** The public forms' data: the service decides which of the two sentences applies. */
function Forms() {
  const takesInquiries = useSite()?.inquiries
  return (
    <>
      <p>
        Über das Kontaktformular und den Konfigurator kannst du uns schreiben, soweit sie eingerichtet sind.
        Wo ein Formular nichts sendet, steht das neben seinem Knopf.
      </p>
      {takesInquiries !== undefined && (
        <>
          <p data-hidden={String(takesInquiries)}>
            Bei dieser Installation ist das derzeit nicht eingerichtet: Was du dort eingibst, verlässt deinen
            Browser nicht und wird nicht gespeichert.
          </p>
          <p className={classes.whenTaken} data-taken={String(takesInquiries)}>
            Bei dieser Installation ist das eingerichtet: Was du abschickst, wird bei uns gespeichert, wo
            unsere System-Admins es lesen können, und uns per E-Mail zugestellt, wenn ein Mailserver
            eingerichtet ist.
          </p>
        </>
      )}
      <p>
        Gespeichert werden dann Name, E-Mail-Adresse, Nachricht und Zeitpunkt, bei einer Angebotsanfrage auch
        Stückzahl und Ausstattung, der gewünschte Name auf dem Gerät und von einem Logo der Dateiname; das
        Bild selbst wird nicht übertragen. Wir verwenden das nur, um dir zu antworten (Art.&nbsp;6 Abs.&nbsp;1
        lit.&nbsp;b&nbsp;DSGVO, wenn es um einen Vertrag geht, sonst lit.&nbsp;f), und löschen es nach{' '}
        {elapsed('inquiries')}, auch aus unserem Postfach, wenn daraus kein Vertrag wird. Rufst du an oder
        schreibst du selbst eine E-Mail, gilt dasselbe.
      </p>
    </>
  )
}
