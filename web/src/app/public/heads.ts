/** The metadata of each public page for search engines and messengers, and its source, whose style its file links. */
export const HEADS: Readonly<Record<string, { description: string; source: string }>> = {
  '/': {
    description:
      'Chip dran, gestempelt: Arbeitszeit erfassen an der Uhr, auf dem Handy und in der Auswertung. Die Uhr stempelt auch ohne Internet weiter und gleicht später ab.',
    source: 'src/app/public/landing/Landing.tsx',
  },
  '/produkte': {
    description:
      'Die Stempeluhr V2: Touchscreen, NFC-Leser, Speicher für Tage ohne Netz. Wie sie gebaut ist, was sie schützt und was im Notfall geschieht.',
    source: 'src/app/public/products/Products.tsx',
  },
  '/services': {
    description:
      'Sechs Pakete von der Einrichtung bis zur Schulung und ein Fahrplan in vier Schritten: Kickoff, Setup, Pilot, Rollout.',
    source: 'src/app/public/services/Services.tsx',
  },
  '/newsletter': {
    description: 'Alle Versionen von Stempelwerk mit Datum und Änderungen, die neueste zuerst.',
    source: 'src/app/public/releases/Releases.tsx',
  },
  '/shop': {
    description:
      'Neun Produkte rund um die Zeiterfassung: Core, Go, Mini, Beacon und Zubehör, mit Preisen zzgl. MwSt.',
    source: 'src/app/public/shop/Shop.tsx',
  },
  '/ueber-uns': {
    description:
      'Wir bauen eine Stempeluhr, die auch dann die Wahrheit sagt, wenn Netz, Strom oder Uhrzeit einmal nicht mitspielen.',
    source: 'src/app/public/about/About.tsx',
  },
  '/kontakt': {
    description: 'Fragen zu Uhr, Einrichtung oder Preis: schreib uns oder ruf an.',
    source: 'src/app/public/contact/Contact.tsx',
  },
  '/impressum': {
    description: 'Wer diese Installation von Stempelwerk betreibt und für ihre Inhalte verantwortlich ist.',
    source: 'src/app/public/legal/Imprint.tsx',
  },
  '/datenschutz': {
    description:
      'Welche Daten Stempelwerk speichert, wozu, auf welcher Grundlage und wie lange: in 25 Abschnitten.',
    source: 'src/app/public/legal/Privacy.tsx',
  },
  '/pruefen': {
    description:
      'Ist dieser Monatsnachweis echt und unverändert? Die Prüfung braucht kein Login und schickt die Datei nirgendwohin.',
    source: 'src/features/statement/CheckPage.tsx',
  },
}
