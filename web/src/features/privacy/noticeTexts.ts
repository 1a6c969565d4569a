/** The privacy notice that a company agrees to, by version: a changed text needs a new version. */

export const NOTICE = { version: 'v1.0', day: '2025-08-08' } as const

export interface NoticeSection {
  title: string
  paragraphs: readonly string[]
}

export const SECTIONS: readonly NoticeSection[] = [
  {
    title: 'Verantwortlicher',
    paragraphs: [
      'Verantwortlich für den Betrieb von Stempelwerk ist die Stempelwerk GbR, eine Gesellschaft bürgerlichen Rechts, vertreten durch ihre Gesellschafter (Muster: Namen und Anschrift ergänzt der Betreiber). Die Angaben dieser Anlage stehen im Impressum.',
      'Für die Arbeitszeiten deiner Beschäftigten ist deine Firma verantwortlich. Wir verarbeiten sie für sie und nach ihrer Weisung (Art. 28 DSGVO).',
    ],
  },
  {
    title: 'Begriffe',
    paragraphs: [
      '„Personenbezogene Daten“, „Verarbeitung“, „Verantwortlicher“ und „Auftragsverarbeiter“ bedeuten, was Art. 4 DSGVO sagt. „Uhr“ ist das Gerät, an dem gestempelt wird, „Chip“ der Transponder, den eine Person daran hält, „Firma“ der Kunde, dessen Beschäftigte stempeln.',
    ],
  },
  {
    title: 'Datenkategorien',
    paragraphs: [
      'Stammdaten und Konto: Benutzername, Rolle, Chip-Nummern mit ihrem Zeitraum, Passwort als Hash, zweiter Faktor; soweit deine Firma sie einträgt, Personalnummer, Abteilung, Ein- und Austritt, Arbeitstage und Schutzvorschriften.',
      'Nutzung und Protokolle: Sitzungen mit Browser und Zeitpunkt, Entscheidungen der Verwaltung im Änderungsprotokoll, für den Betriebsrat, wer wessen Zeiten angesehen hat.',
      'Arbeitszeit: Stempel, Zeiteinträge, Korrekturen, Dienste, Urlaub, Abwesenheiten mit Bescheinigungen, Buchungen und Zeitkonto.',
      'Geräte und Netz: Seriennummer, Version, Netzadresse und Meldungen der Uhren; Internetadressen in Serverprotokollen.',
      'Standort: Es wird kein Standort bestimmt. Wo jemand war, ergibt sich nur daraus, an welcher Uhr gestempelt wurde.',
    ],
  },
  {
    title: 'Zwecke',
    paragraphs: [
      'Erfassung, Auswertung und Abrechnung der Arbeitszeit; Planung von Diensten, Urlaub und Abwesenheiten; Anmeldung und Schutz der Konten; Betrieb der Uhren und Suche nach Fehlern; Nachweis von Entscheidungen.',
      'Eine Leistungs- oder Verhaltensbewertung, Profilbildung oder Werbung findet nicht statt.',
    ],
  },
  {
    title: 'Rechtsgrundlagen',
    paragraphs: [
      'Vertrag und Beschäftigung (Art. 6 Abs. 1 lit. b DSGVO, § 26 BDSG, soweit anwendbar), gesetzliche Pflichten zur Aufzeichnung (Art. 6 Abs. 1 lit. c DSGVO; § 16 Abs. 2 ArbZG, § 17 MiLoG, § 3 Abs. 2 Nr. 1 ArbSchG), berechtigtes Interesse am sicheren Betrieb (Art. 6 Abs. 1 lit. f DSGVO), für Krankmeldungen Art. 9 Abs. 2 lit. b DSGVO.',
    ],
  },
  {
    title: 'Empfänger',
    paragraphs: [
      'Zugriff haben die betroffene Person, die Verwaltung ihrer Firma, im Umfang ihrer Aufgaben der Betriebsrat und, soweit Betrieb und Hilfe es erfordern, System-Admins. Bescheinigungen zu Krankmeldungen lesen System-Admins nicht.',
      'Für uns arbeiten der Anbieter des Rechenzentrums und, soweit eingesetzt, der des Mailservers (Muster: Namen ergänzt der Betreiber). Was deine Firma an ihre Lohnabrechnung gibt, entscheidet sie. Außerhalb der EU und des EWR wird nichts verarbeitet, außer eine Person schaltet Push-Nachrichten ein, deren Dienst dort sitzt; sie enthalten keinen Inhalt.',
    ],
  },
  {
    title: 'Cookies, Protokolle und Sicherheit',
    paragraphs: [
      'Es gibt ein einziges Cookie, und nur, wenn jemand ein Gerät merken lässt: Es erspart dort 30 Tage den zweiten Faktor. Analyse- und Werbedienste gibt es nicht.',
      'Verbindungen sind verschlüsselt, Passwörter und Schlüssel von Sitzungen liegen nur als Hash vor, Geheimnisse und Bescheinigungen verschlüsselt. Uhren unterschreiben jede Anfrage. Firmen sind voneinander getrennt; Rechte prüft der Server bei jedem Aufruf. Das Änderungsprotokoll lässt nachträgliche Eingriffe erkennen.',
    ],
  },
  {
    title: 'Speicherdauer',
    paragraphs: [
      'Zeiten, auch Stempel mit einem unbekannten Chip, bleiben mindestens 2 Jahre über das Jahresende hinaus und höchstens 10, wenn deine Firma das festlegt. Der Saldo, den sie ergeben haben, bleibt, solange jemand beschäftigt ist. Bescheinigungen zu Krankmeldungen bleiben 12 Monate nach der Entscheidung, wenn deine Firma nichts anderes festlegt. Nachrichten und erledigte Anträge bleiben 2 Jahre, Protokolle der Uhren 7 Tage, Sitzungen 2 Stunden.',
      'Sicherungen enthalten noch einige Zeit, was seither gelöscht wurde.',
    ],
  },
  {
    title: 'Erforderlichkeit',
    paragraphs: [
      'Ohne Benutzername, Chip und Stempel lässt sich keine Arbeitszeit erfassen. Eine E-Mail-Adresse, Benachrichtigungen, Kalenderadresse und Push sind freiwillig. Welche Stammdaten nötig sind, entscheidet deine Firma.',
    ],
  },
  {
    title: 'Rechte der betroffenen Personen',
    paragraphs: [
      'Auskunft und Kopie (Art. 15, 20 DSGVO): Jede Person und die Verwaltung ihrer Firma laden alles, was über sie gespeichert ist, selbst herunter. Berichtigung (Art. 16): durch Korrekturen. Löschung (Art. 17): nach dem Ausscheiden, soweit nichts aufbewahrt werden muss. Außerdem Einschränkung (Art. 18), Widerspruch (Art. 21) und Beschwerde bei einer Aufsichtsbehörde (Art. 77).',
    ],
  },
  {
    title: 'Gemeinsame Verantwortung',
    paragraphs: [
      'Deine Firma und wir legen Zwecke und Mittel nicht gemeinsam fest; eine gemeinsame Verantwortung (Art. 26 DSGVO) besteht nicht. Für die Daten ihrer Beschäftigten ist deine Firma verantwortlich, für Betrieb und Sicherheit der Anlage wir. Einzelheiten regelt der Vertrag zur Auftragsverarbeitung, den du auf dieser Seite herunterlädst.',
    ],
  },
  {
    title: 'Haftungsausschluss',
    paragraphs: [
      'Stempelwerk rechnet und weist hin; es ersetzt keine Rechtsberatung. Ob deine Firma Informationspflichten, Mitbestimmung (§ 87 Abs. 1 Nr. 6 BetrVG) und Aufbewahrung erfüllt, prüft sie selbst. Die Haftung für Vorsatz, grobe Fahrlässigkeit und Schäden an Leben, Körper und Gesundheit bleibt unberührt.',
    ],
  },
  {
    title: 'Änderungen und Kontakt',
    paragraphs: [
      'Ändern sich diese Hinweise, bekommen sie eine neue Fassung, der deine Firma neu zustimmt. Fragen zum Datenschutz beantworten wir unter der Adresse im Impressum.',
    ],
  },
]
