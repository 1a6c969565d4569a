import { texts as clocks } from '../../entities/clocks/texts'

export const texts = {
  ...clocks,
  title: 'Geräte verwalten',
  lead: 'Die Uhren deiner Firma, und wie es ihnen geht. Namen und Notizen gehören dir; die Uhr zeigt ihren Namen an. Zuordnen und tauschen kann Uhren nur der Betreiber, in seinem Geräteverzeichnis.',
  offline: 'Gezeigt wird, was zuletzt bekannt war.',

  search: 'Gerät suchen',
  searchHint: 'Name, Notiz, Seriennummer oder Adresse',
  nothing: 'Kein Gerät passt dazu.',
  empty: 'Deiner Firma ist noch kein Gerät zugeordnet. Das macht der Betreiber.',
  failed: 'Die Geräte konnten nicht geladen werden.',

  list: 'Geräte',
  lastSeen: 'Letzter Kontakt',
  scanners: 'Tragbare Scanner',
  reader: 'Leser',
  readers: { ok: 'arbeitet', absent: 'nicht da', fault: 'gestört' } as Readonly<Record<string, string>>,

  forked:
    'Diese Uhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand. Nimm die zweite vom Netz, oder melde dich unter Support & Kontakt.',
  conflict:
    'Unter dieser Seriennummer hat sich eine andere Uhr gemeldet. Melde dich unter Support & Kontakt, wenn niemand sie getauscht hat.',

  name: 'Name',
  nameHint: 'z. B. Werkstatt am Tor 2',
  notesHint: 'z. B. wo der Schlüssel liegt',
  saveFailed: 'Speichern fehlgeschlagen.',
} as const
