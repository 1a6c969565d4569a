/** The six packages around the clock. */
import type { Missing } from '../missing'

export interface Package {
  name: string
  for: string
  holds: readonly string[]
  /** The module that covers it. */
  needs?: readonly Missing[]
}

export const PACKAGES: readonly Package[] = [
  {
    name: 'Einrichten',
    for: 'Die Uhr hängt, hat Strom und Netz, und der erste Chip stempelt.',
    holds: ['Ort und Höhe der Uhr festlegen', 'Anschließen, anmelden, testen', 'Kurzanleitung zum Aushängen'],
  },
  {
    name: 'Chips und Leute',
    for: 'Alle stehen im System, jeder mit seinem Chip und seinem Login.',
    holds: ['Alle aus deiner Liste anlegen', 'Chips anlernen und beschriften', 'Logins verteilen'],
  },
  {
    name: 'Regeln',
    for: 'Soll, Pausen, Feiertage und Urlaub sind so eingestellt, wie ihr arbeitet.',
    holds: ['Wochenstunden und Arbeitstage', 'Pausen nach Arbeitszeitgesetz', 'Anfangssalden und Resturlaub'],
  },
  {
    name: 'Schulung',
    for: 'Eine Stunde für alle, die verwalten; zehn Minuten für alle, die stempeln.',
    holds: ['Anträge und Korrekturen entscheiden', 'Monatsende in der Praxis', 'Fragen aus dem Alltag'],
  },
  {
    name: 'Pilotmonat',
    for: 'Wir begleiten den ersten Monat, bis der erste Abschluss stimmt.',
    holds: [
      'Wöchentlicher Blick auf offene Fälle',
      'Vergleich mit den alten Zetteln',
      'Nachjustieren der Regeln',
    ],
  },
  {
    name: 'Betreuung',
    for: 'Jemand geht ans Telefon, auch wenn alles schon läuft.',
    holds: [
      'Vereinbarte Antwortzeiten',
      'Neue Versionen und ihre Änderungen',
      'Ersatz für eine ausgefallene Uhr',
    ],
  },
]
