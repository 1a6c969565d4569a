/** The public pages as far as they stand: a title and a sentence that is true today. */
import { BRAND } from '../../ui/brand'
import { PageFrame } from '../../ui/PageFrame'
import classes from './pages.module.css'

export interface PublicPage {
  path: string
  title: string
  badge?: string
  sentence: string
}

export const publicPages: readonly PublicPage[] = [
  {
    path: '/produkte',
    title: 'Produkte',
    sentence: `${BRAND} gibt es als Uhr mit Touchscreen für die Wand, als Koffer mit tragbaren Scannern für die Baustelle und als kleine Geräte für alles dazwischen.`,
  },
  {
    path: '/services',
    title: 'Services',
    sentence:
      'Wir richten Uhren ein, lernen Chips an und begleiten den ersten Monatsabschluss, bis er von allein geht.',
  },
  {
    path: '/newsletter',
    title: 'Updates',
    sentence: 'Hier steht künftig, was sich von Version zu Version geändert hat.',
  },
  {
    path: '/shop',
    title: 'Shop',
    sentence:
      'Noch ist der Shop geschlossen: Uhren und Zubehör nennen wir dir auf Anfrage mit Preis und Lieferzeit.',
  },
  {
    path: '/ueber-uns',
    title: 'Über uns',
    sentence:
      'Wir bauen eine Stempeluhr, die auch dann die Wahrheit sagt, wenn Netz, Strom oder Uhrzeit einmal nicht mitspielen.',
  },
  {
    path: '/kontakt',
    title: 'Kontakt',
    sentence: 'Deine Ansprechperson findest du in der Firma, von der du deinen Zugang hast.',
  },
  {
    path: '/impressum',
    title: 'Impressum',
    badge: 'In Gründung / Daten werden ergänzt',
    sentence: 'Name und Anschrift trägt ein, wer diese Installation betreibt.',
  },
  {
    path: '/datenschutz',
    title: 'Datenschutz',
    sentence:
      'Gespeichert werden dein Benutzername, deine Firma und deine Stempel mit Uhrzeit und Chip-Nummer; auf diesem Gerät liegen deine Anmeldung und die zuletzt gelesenen Monate, bis du dich abmeldest. Meldest du dich ohne Verbindung ab, bleibt bis zum nächsten Öffnen eine Prüfsumme, mit der die Anmeldung auf dem Server endet und die nichts öffnet.',
  },
]

export function PlainPage({ page }: { page: PublicPage }) {
  return (
    <PageFrame title={page.title}>
      {page.badge !== undefined && <p className={classes.badge}>{page.badge}</p>}
      <p className={classes.sentence}>{page.sentence}</p>
    </PageFrame>
  )
}
