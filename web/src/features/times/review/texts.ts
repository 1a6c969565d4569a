import { hoursMinutes } from '../../../ui/durations'
import type { Limit } from './line'

/** A minute of the day before, of it or after, as a time. */
const clock = (minute: number) => {
  const within = ((minute % 1440) + 1440) % 1440
  return [Math.floor(within / 60), within % 60].map(part => `${part}`.padStart(2, '0')).join(':')
}

export const texts = {
  title: 'Prüfliste',
  readOnly: 'Einträge, an denen etwas fehlt oder auffällt.',
  lead: 'Einträge, an denen etwas fehlt oder auffällt. Was du hier erledigst, steht bis du gehst noch darunter.',
  offline: 'Entscheiden kannst du erst wieder mit Verbindung.',

  kinds: 'Nach Art',
  all: (count: string) => `Alle ${count}`,
  kind: (label: string, count: string) => `${label} ${count}`,
  list: 'Zu prüfen',
  nameOf: (name: string, day: string) => `${name}, ${day}`,
  empty: 'Nichts zu prüfen. Alle Einträge sind in Ordnung.',
  failed: 'Die Prüfliste konnte nicht geladen werden.',
  more: 'Weitere laden',
  noMore: 'Ältere Einträge gibt es nicht.',
  moreFailed: 'Weitere Einträge konnten nicht geladen werden.',

  overdue: 'Älter als 5 Tage',
  keep: 'So lassen',
  keepFailed: 'Das konnte nicht so gelassen werden.',
  correct: 'Korrigieren',
  remind: 'Erinnern',
  reminded: (name: string) => `${name} wird gebeten, den Tag zu prüfen.`,
  remindFailed: 'Die Erinnerung konnte nicht gesendet werden.',
  remove: 'Löschen',
  removeTitle: (name: string) => `Zeiteintrag von ${name} löschen`,
  removeConsequences: [
    'Der Eintrag zählt nicht mehr, auch nicht im Zeitkonto.',
    'Das lässt sich nicht rückgängig machen.',
    'Es steht mit deinem Namen im Änderungsprotokoll.',
  ],
  removeConfirm: 'Eintrag löschen',
  removed: 'Eintrag entfernt.',
  removeFailed: 'Löschen fehlgeschlagen.',

  correcting: {
    title: (name: string) => `Zeit von ${name} korrigieren`,
    lead: 'Das gilt sofort und steht mit deinem Namen im Änderungsprotokoll. Die Person bekommt eine Nachricht.',
  },

  corrected: 'Korrektur gespeichert.',
  settled: 'Erledigt, seit du hier bist',
  again: 'Noch einmal ansehen',
  againOf: (what: string) => `Noch einmal ansehen: ${what}`,
  outcomes: { kept: 'so gelassen', corrected: 'korrigiert', removed: 'gelöscht', gone: 'erledigt' },

  /** Of an administrator, where the employee's own words are not theirs. */
  workedOnLeave: 'An diesem Tag war die Person krankgemeldet oder im Urlaub.',
  dayFailed: 'Die Zeiten des Tages konnten nicht geladen werden.',
  changed: 'Der Eintrag hat sich inzwischen geändert.',
  limit: (limit: Limit) => {
    const [worked, at] = [hoursMinutes(limit.minutes), clock(limit.at)]
    if (limit.kind === 'rest') return `${worked} Ruhezeit bis ${at}`
    return limit.kind === 'shift'
      ? `${worked} Arbeit um ${at}`
      : `${worked} Arbeit um ${at}: ${limit.due} min Pause`
  },
  duty: (span: string) => `Dienst ${span}`,
  wholeDay: 'ganztägig',
  stamps: 'Einträge des Tages',
  missing: 'fehlt',
} as const
