/**
 * The public pages: what each is called, what a search engine and a messenger say of it, and its code. They are written
 * as files when the app is built (`prerender.tsx`), so that they read without JavaScript.
 */
import type { ComponentType } from 'react'
import { type Fetched, fetched } from '../../patterns/fetched'

interface Page {
  path: string
  /** In the browser's tab, and in what is found. */
  title: string
  description: string
  /** Its source, from the web's folder: its style is linked in the page that is written. */
  source: string
  load: () => Promise<ComponentType>
}

const LANDING: Page = {
  path: '/',
  title: 'Stempelwerk: Zeiterfassung mit NFC-Stempeluhr für Betriebe',
  description:
    'Chip dran, gestempelt: Arbeitszeit erfassen an der Uhr, auf dem Handy und in der Auswertung. Die Uhr stempelt auch ohne Internet weiter und gleicht später ab.',
  source: 'src/app/public/landing/Landing.tsx',
  load: async () => (await import('./landing/Landing')).Landing,
}

const PAGES: readonly Page[] = [
  {
    path: '/produkte',
    title: 'Stempeluhr mit Touchscreen und NFC: die V2 · Stempelwerk',
    description:
      'Die Stempeluhr V2: Touchscreen, NFC-Leser, Speicher für Tage ohne Netz. Wie sie gebaut ist, was sie schützt und was im Notfall geschieht.',
    source: 'src/app/public/products/Products.tsx',
    load: async () => (await import('./products/Products')).Products,
  },
  {
    path: '/services',
    title: 'Einrichtung, Pilot und Betreuung · Stempelwerk',
    description:
      'Sechs Pakete von der Einrichtung bis zur Schulung und ein Fahrplan in vier Schritten: Kickoff, Setup, Pilot, Rollout.',
    source: 'src/app/public/services/Services.tsx',
    load: async () => (await import('./services/Services')).Services,
  },
  {
    path: '/newsletter',
    title: 'Updates: was sich geändert hat · Stempelwerk',
    description: 'Alle Versionen von Stempelwerk mit Datum und Änderungen, die neueste zuerst.',
    source: 'src/app/public/releases/Releases.tsx',
    load: async () => (await import('./releases/Releases')).Releases,
  },
  {
    path: '/shop',
    title: 'Stempeluhren, Scanner und Zubehör · Stempelwerk Shop',
    description:
      'Neun Geräte für die Zeiterfassung: Core, Go, Mini, Beacon und Zubehör, mit Preisen zzgl. MwSt.',
    source: 'src/app/public/shop/Shop.tsx',
    load: async () => (await import('./shop/Shop')).Shop,
  },
  {
    path: '/ueber-uns',
    title: 'Wer Stempelwerk baut, und warum · Stempelwerk',
    description:
      'Wir bauen eine Stempeluhr, die auch dann die Wahrheit sagt, wenn Netz, Strom oder Uhrzeit einmal nicht mitspielen.',
    source: 'src/app/public/about/About.tsx',
    load: async () => (await import('./about/About')).About,
  },
  {
    path: '/kontakt',
    title: 'Kontakt · Stempelwerk',
    description: 'Fragen zu Uhr, Einrichtung oder Preis: schreib uns oder ruf an.',
    source: 'src/app/public/contact/Contact.tsx',
    load: async () => (await import('./contact/Contact')).Contact,
  },
  {
    path: '/impressum',
    title: 'Impressum · Stempelwerk',
    description: 'Wer diese Installation von Stempelwerk betreibt und für ihre Inhalte verantwortlich ist.',
    source: 'src/app/public/legal/Imprint.tsx',
    load: async () => (await import('./legal/Imprint')).Imprint,
  },
  {
    path: '/datenschutz',
    title: 'Datenschutzerklärung · Stempelwerk',
    description:
      'Welche Daten Stempelwerk speichert, wozu, auf welcher Grundlage und wie lange: in 25 Abschnitten.',
    source: 'src/app/public/legal/Privacy.tsx',
    load: async () => (await import('./legal/Privacy')).Privacy,
  },
]

export type PublicPage = Omit<Page, 'load'> & { Content: Fetched<object> }

const built = ({ load, ...page }: Page): PublicPage => ({ ...page, Content: fetched(load) })

export const landing = built(LANDING)

export const publicPages: readonly PublicPage[] = [landing, ...PAGES.map(built)]

/** The public page at a path; whoever is not logged in finds the landing page at every path that nobody knows. */
export const publicPageAt = (path: string) =>
  publicPages.find(page => page.path === path.replace(/(.)\/$/, '$1'))
