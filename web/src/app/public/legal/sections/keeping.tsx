/** Storage locations, recipients, retention periods, and the rights of data subjects. */
import { GivenLink, OperatorFact } from '../../parts/OperatorFact'
import classes from '../legal.module.css'
import { lasting } from '../periods'
import { Period, type Section, Sheet } from './section'

/** When this text was last changed. */
const CHANGED = { day: '2026-11-26', text: '26.\u00a0November 2026' } as const

const IN_BROWSER = [
  [
    'Lokaler Speicher: Token der Sitzung, Rolle, Benutzername, Kennungen von Firma und Konto',
    `bis zum Abmelden; der Token öffnet nach ${lasting('session')} nichts mehr`,
  ],
  [
    'Lokaler Speicher: Hash einer Sitzung, die du ohne Netz beendet hast',
    `bis der Server davon weiß, höchstens ${lasting('session')}`,
  ],
  [
    'Lokaler Speicher: für wen dieser Browser Push annimmt, und wie viel noch nicht gesendet ist',
    'bis zum Abmelden, oder bis es erledigt ist',
  ],
  [
    'Lokaler Speicher: öffentliche Prüfschlüssel, wenn du die Seite „Nachweis prüfen“ benutzt',
    'bis du sie löschst; sie sagen nichts über dich',
  ],
  [
    'Datenbank im Browser: zuletzt gelesene Seiten zum Lesen ohne Netz, noch nicht gesendete Anträge',
    'bis zum Abmelden, oder bis sich jemand anderes anmeldet',
  ],
  [
    'Cookie „stempelwerk_device_…“, wenn du ein Gerät merken lässt; für Skripte unlesbar, nur für die Anmeldung',
    lasting('remembered'),
  ],
  ['Cache der App: Programmcode, Schrift und Symbole, damit sie sich ohne Netz öffnet', 'bis du sie löschst'],
] as const

const PERIODS = [
  ['Sitzung (Token)', <Period key="session" of="session" />],
  ['Gemerktes Gerät', <Period key="remembered" of="remembered" />],
  ['Anmeldecode, angefangene Anmeldung', <Period key="unfinishedLogin" of="unfinishedLogin" />],
  ['Zurückgesetztes Passwort', <Period key="resetPassword" of="resetPassword" />],
  [
    'Zähler falscher Codes (als Hash)',
    <>
      <Period of="wrongCodes" /> nach dem letzten Versuch und seiner Pause
    </>,
  ],
  [
    'Bekannte Internetadresse eines Kontos (als Hash)',
    <>
      <Period of="familiarAddress" /> nach der letzten Anmeldung dort
    </>,
  ],
  ['Antworten auf wiederholbare Anfragen', <Period key="keptAnswers" of="keptAnswers" />],
  ['Nicht zustellbare Hinweise', <Period key="failedMails" of="failedMails" />],
  [
    'Stempel auf der Uhr',
    <>
      <Period of="clockStamps" /> nach der Übertragung
    </>,
  ],
  ['Fehler- und Geräteprotokolle der Uhren', <Period key="deviceLogs" of="deviceLogs" />],
  ['Verlauf der Uhren: Verbindung, Version, Warteschlange', <Period key="clockHistory" of="clockHistory" />],
  ['Alarme der Uhren, und wer sie bestätigt hat', <Period key="alarms" of="alarms" />],
  ['Serverprotokolle mit IP-Adresse', <Period key="serverLogs" of="serverLogs" />],
  ['Nachrichten im Posteingang', <Period key="messages" of="messages" />],
  ['Entschiedene Korrekturanträge', <Period key="corrections" of="corrections" />],
  [
    'Abgelehnte Urlaubsanträge, Wünsche nach freien Tagen',
    <>
      <Period of="vacationRequests" /> nach dem letzten Tag
    </>,
  ],
  ['Übergabeanfragen', <Period key="handovers" of="handovers" />],
  ['Abgelehnte und zurückgezogene Abwesenheiten', <Period key="absences" of="absences" />],
  ['Wer aus der Verwaltung wessen Zeiten angesehen hat', <Period key="accessLooks" of="accessLooks" />],
  ['Was der Betreiber getan hat, und Anmeldungen bei ihm', <Period key="operatorLog" of="operatorLog" />],
  [
    'Bescheinigungen zu Krankmeldungen',
    <>
      <Period of="sickNotes" /> nach der Entscheidung, wenn deine Firma nichts anderes festlegt
    </>,
  ],
  [
    'Bescheinigungen, über die niemand entscheidet',
    <>
      <Period of="undecidedSickNotes" /> nach dem Hochladen
    </>,
  ],
  ['Anfragen über die Website', <Period key="inquiries" of="inquiries" />],
  ['Support-Anfragen', <Period key="support" of="support" />],
  [
    'Stempel (auch mit unbekanntem Chip), Zeiteinträge, Zeitnachweise',
    <>
      {lasting('times')} über das Ende ihres Jahres hinaus, wenn deine Firma nicht mehr festlegt (höchstens
      10&nbsp;Jahre)
    </>,
  ],
  [
    'Stempel, die keinem Unternehmen gehören (die Uhr hing in keinem), und unlesbare',
    <>
      <Period of="unclaimedStamps" /> über das Ende des Jahres hinaus, in dem sie ankamen
    </>,
  ],
  [
    'Zeitkonto, Urlaub, Abwesenheiten, Dienste',
    <>
      solange das Firmenkonto besteht; scheidest du aus, noch {lasting('times')} über das Jahresende hinaus,
      wenn deine Firma nicht mehr festlegt (höchstens 10&nbsp;Jahre)
    </>,
  ],
  [
    'Monatsabschlüsse und Exporte für die Lohnabrechnung, soweit erstellt',
    <>
      <Period of="exports" /> (§&nbsp;147&nbsp;AO, §&nbsp;41 Abs.&nbsp;1&nbsp;EStG)
    </>,
  ],
  ['Benutzername und Stammdaten', 'so lange wie deine Zeiten; danach steht statt des Namens eine Nummer'],
  [
    'Wann der Monatsexport an wen per E-Mail ging, und die Datei daraus',
    <>
      <Period of="mailedExports" />, die Datei <Period of="mailedFiles" />
    </>,
  ],
  [
    'E-Mail-Adressen, die den Monatsexport einer Firma abbestellt haben',
    'bis du es über denselben Link zurücknimmst, sonst solange das Firmenkonto besteht: Ohne die Adresse wüssten wir nicht, wohin nichts mehr gehen darf (Art. 21 DSGVO)',
  ],
  [
    'Änderungsprotokoll (Kennungen; Namen darin nur, bis deine Daten gelöscht werden)',
    'ohne feste Frist, mindestens bis das Firmenkonto gelöscht wird und keine Aufbewahrungspflicht mehr besteht',
  ],
] as const

export const KEEPING: readonly Section[] = [
  {
    id: 'browser',
    title: 'Speicherung in deinem Browser',
    content: (
      <>
        <p>
          Wer diese öffentlichen Seiten nur liest, bei dem speichern wir <strong>nichts</strong>, mit einer
          Ausnahme: den Prüfschlüsseln in der Tabelle. Meldest du dich an, speichert der Browser, was die
          Anwendung zum Arbeiten braucht. Das ist unbedingt erforderlich im Sinne des §&nbsp;25 Abs.&nbsp;2
          Nr.&nbsp;2&nbsp;TDDDG; eine Einwilligung ist dafür nicht nötig, und deshalb gibt es hier auch kein
          Cookie-Banner.
        </p>
        <Sheet caption="Was dein Browser speichert" heads={['Was', 'Wie lange']} rows={IN_BROWSER} />
        <p>
          Mit dem Abmelden werden deine Daten auf dem Gerät gelöscht. Läuft eine Sitzung nur ab, bleibt das
          Gelesene für dich liegen, bis du dich wieder anmeldest und abmeldest oder sich jemand anderes
          anmeldet; melde dich an fremden Geräten deshalb immer ab. Das Cookie eines gemerkten Geräts
          übersteht das Abmelden; mit „Überall abmelden“ wird es wertlos.
        </p>
      </>
    ),
  },
  {
    id: 'empfaenger',
    title: 'Empfänger, Hosting und Drittländer',
    content: (
      <>
        <p>
          Zugriff auf deine Daten haben du selbst, die Verwaltung deiner Firma und, soweit Betrieb und Hilfe
          es erfordern, unsere System-Admins. Firmen sind voneinander getrennt: Der Server prüft bei jedem
          Aufruf, wessen Daten er zeigt. Was deine Firma daraus weitergibt, etwa an ihre Lohnabrechnung,
          entscheidet sie.
        </p>
        <p>
          Betrieben wird der Server bei: <OperatorFact name="host" />. Dieser Anbieter und, soweit eingesetzt,
          der Anbieter unseres Mailservers arbeiten für uns nach Art.&nbsp;28&nbsp;DSGVO. Behörden erhalten
          Daten nur, wenn ein Gesetz uns dazu verpflichtet.
        </p>
        <p>
          Die Software selbst übermittelt nichts in Länder außerhalb der EU und des EWR. Die Ausnahme
          schaltest du selbst ein: <strong>Push</strong> läuft über den Dienst des Herstellers deines
          Browsers, der auch in den USA sitzen kann. Er erfährt die Adresse deines Browsers und den Zeitpunkt,
          keinen Inhalt. Grundlage ist ein Angemessenheitsbeschluss (Art.&nbsp;45&nbsp;DSGVO), soweit er für
          diesen Anbieter gilt, sonst deine ausdrückliche Einwilligung (Art.&nbsp;49 Abs.&nbsp;1
          lit.&nbsp;a&nbsp;DSGVO). Ebenso bestimmst du selbst, welche Kalender-App deine Kalenderadresse
          abruft und wo dein Postfach liegt.
        </p>
      </>
    ),
  },
  {
    id: 'sicherheit',
    title: 'Sicherheit',
    content: (
      <>
        <p>So schützen wir, was wir speichern (Art.&nbsp;32&nbsp;DSGVO):</p>
        <ul>
          <li>Unter einer öffentlichen Adresse laufen alle Verbindungen verschlüsselt (TLS).</li>
          <li>
            Passwörter, Tokens und Codes liegen nur als Hash vor, Geheimnisse und Krankmeldungen
            verschlüsselt.
          </li>
          <li>Uhren unterschreiben jede Anfrage mit ihrem eigenen Schlüssel.</li>
          <li>Raten an Passwörtern und Codes wird gebremst, ohne Unbeteiligte dauerhaft auszusperren.</li>
          <li>Rechte prüft der Server bei jedem Aufruf, nicht nur die Seite.</li>
          <li>Das Änderungsprotokoll lässt nachträgliche Eingriffe erkennen.</li>
        </ul>
        <p>
          Von der Datenbank gibt es Sicherungen. Sie enthalten, was am Tag der Sicherung gespeichert war, also
          noch einige Zeit auch das, was seither gelöscht wurde. Sie werden nur zur Wiederherstellung benutzt
          und im Turnus durch neuere ersetzt.
        </p>
      </>
    ),
  },
  {
    id: 'speicherfristen',
    title: 'Speicherfristen auf einen Blick',
    content: (
      <>
        <p>
          Die Software löscht nach diesen Fristen von selbst. Wo „vorgesehen“ steht, ist die Frist geplant;
          die Software hält sie noch nicht von selbst ein.
        </p>
        <Sheet caption="Speicherfristen" heads={['Daten', 'Frist']} rows={PERIODS} />
        <p>
          Wird ein Firmenkonto gelöscht, enden alle Anmeldungen sofort, und die Uhren gehören der Firma nicht
          mehr. Aufbewahrt wird danach nur, was ein Gesetz verlangt; ist die letzte dieser Fristen abgelaufen,
          wird alles endgültig gelöscht. Es bleibt ein unterschriebenes Blatt mit Namen, Tagen und Anzahlen,
          ohne Angaben über einzelne Personen.
        </p>
      </>
    ),
  },
  {
    id: 'rechte',
    title: 'Deine Rechte und Änderungen dieser Erklärung',
    content: (
      <>
        <p>
          Du hast gegenüber dem jeweiligen Verantwortlichen (<a href="#rollen">Abschnitt&nbsp;2</a>) das Recht
          auf
        </p>
        <ul>
          <li>Auskunft über deine Daten und eine Kopie davon (Art.&nbsp;15&nbsp;DSGVO),</li>
          <li>
            Berichtigung (Art.&nbsp;16&nbsp;DSGVO); bei Zeiten am einfachsten über „Korrektur beantragen“,
          </li>
          <li>Löschung (Art.&nbsp;17&nbsp;DSGVO), soweit keine Aufbewahrungspflicht entgegensteht,</li>
          <li>Einschränkung der Verarbeitung (Art.&nbsp;18&nbsp;DSGVO),</li>
          <li>
            Übertragung deiner Daten (Art.&nbsp;20&nbsp;DSGVO); deinen Monat bekommst du jederzeit selbst als
            PDF und als maschinenlesbare Datei,
          </li>
          <li>Widerruf einer Einwilligung für die Zukunft (Art.&nbsp;7 Abs.&nbsp;3&nbsp;DSGVO).</li>
        </ul>
        <p>
          <strong>Widerspruch (Art.&nbsp;21&nbsp;DSGVO):</strong> Soweit wir uns auf ein berechtigtes
          Interesse stützen, kannst du aus Gründen, die sich aus deiner besonderen Situation ergeben,
          jederzeit widersprechen. Schreib dafür formlos an <GivenLink name="privacyEmail" />.
        </p>
        <p>
          Du kannst dich außerdem bei einer Datenschutzaufsicht beschweren (Art.&nbsp;77&nbsp;DSGVO), etwa
          dort, wo du wohnst oder arbeitest. Für uns zuständig:{' '}
          <span className={classes.unmarked}>
            <OperatorFact name="authority" />
          </span>
          .
        </p>
        <p>
          Ob du Stempelwerk benutzt, regelt dein Arbeitsverhältnis. Ohne Stammdaten und Stempel lässt sich
          Arbeitszeit nicht erfassen; alles, was darüber hinausgeht, etwa Push, Kalenderadresse oder ein
          gemerktes Gerät, ist freiwillig.
        </p>
        <p>
          Ändert sich, was die Software tut, ändern wir diese Erklärung. Stand dieser Fassung:{' '}
          <time dateTime={CHANGED.day}>{CHANGED.text}</time>.
        </p>
      </>
    ),
  },
]
