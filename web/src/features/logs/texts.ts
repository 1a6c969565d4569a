export const texts = {
  title: 'Fehlerlog',
  lead: 'Was deine Uhren über sich melden, das Neueste oben. Zeilen bleiben eine Woche.',
  offline: 'Neue Zeilen siehst du, sobald die Verbindung wieder steht.',

  filters: 'Zeilen filtern',
  level: 'Stufe',
  levels: { all: 'Alle', info: 'Info', warn: 'Warnung', error: 'Fehler' },
  limit: 'Höchstens',
  search: 'Suchen',
  searchHint: 'Seriennummer, Code oder Meldung',
  reload: 'Aktualisieren',
  errors: (count: string) => (count === '' ? 'Fehler' : `Fehler (${count})`),
  errorsTitle: 'Nur Fehler',

  list: 'Zeilen des Fehlerlogs',
  time: 'Zeit',
  clock: 'Uhr',
  what: 'Meldung',
  code: 'Code',
  todo: 'Was tun',
  technical: 'Technische Einzelheiten',
  device: (id: string) => `#${id}`,

  empty: 'Keine Einträge.',
  noErrors: 'Keine Fehler vorhanden.',
  failed: 'Logs konnten nicht geladen werden.',
  nothingSeen: 'Gerade ist nichts zu sehen.',
} as const
