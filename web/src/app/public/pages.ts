/**
 * The public pages: their titles, their metadata for search engines and messengers, and their code. The build renders
 * them to files (`prerender.tsx`), so that they are readable without JavaScript.
 */
import type { ComponentType } from 'react'
import { type Fetched, fetched } from '../../patterns/fetched'
import { withQueryClient } from '../withQueryClient'

interface Page {
  path: string
  /** For the browser's tab, and search results. */
  title: string
  load: () => Promise<ComponentType>
  /** Whether it is available offline after the first visit. */
  kept?: boolean
}

const LANDING: Page = {
  path: '/',
  title: 'Stempelwerk: Zeiterfassung mit NFC-Stempeluhr für Betriebe',
  load: async () => (await import('./landing/Landing')).Landing,
}

const PAGES: readonly Page[] = [
  {
    path: '/produkte',
    title: 'Stempeluhr mit Touchscreen und NFC: die V2 · Stempelwerk',
    load: async () => (await import('./products/Products')).Products,
  },
  {
    path: '/services',
    title: 'Einrichtung, Pilot und Betreuung · Stempelwerk',
    load: async () => (await import('./services/Services')).Services,
  },
  {
    path: '/newsletter',
    title: 'Updates: was sich geändert hat · Stempelwerk',
    load: async () => (await import('./releases/Releases')).Releases,
  },
  {
    path: '/shop',
    title: 'Stempeluhren, Scanner und Zubehör · Stempelwerk Shop',
    load: async () => (await import('./shop/Shop')).Shop,
  },
  {
    path: '/ueber-uns',
    title: 'Wer Stempelwerk baut, und warum · Stempelwerk',
    load: async () => (await import('./about/About')).AboutUs,
  },
  {
    path: '/kontakt',
    title: 'Kontakt · Stempelwerk',
    load: async () => (await import('./contact/Contact')).Contact,
  },
  {
    path: '/impressum',
    title: 'Impressum · Stempelwerk',
    load: async () => (await import('./legal/Imprint')).Imprint,
  },
  {
    path: '/datenschutz',
    title: 'Datenschutzerklärung · Stempelwerk',
    load: async () => (await import('./legal/Privacy')).Privacy,
  },
  {
    path: '/pruefen',
    title: 'Monatsnachweis prüfen · Stempelwerk',
    kept: true,
    load: withQueryClient(async () => (await import('../../features/statement/CheckPage')).CheckPage),
  },
]

export type PublicPage = Omit<Page, 'load'> & { Content: Fetched<object> }

const built = ({ load, ...page }: Page): PublicPage => ({ ...page, Content: fetched(load) })

export const landing = built(LANDING)

export const publicPages: readonly PublicPage[] = [landing, ...PAGES.map(built)]

/** The public page of a path; logged-out users get the landing page at unknown paths. */
export const publicPageAt = (path: string) =>
  publicPages.find(page => page.path === path.replace(/(.)\/$/, '$1'))
