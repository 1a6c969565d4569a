export const texts = {
  title: 'Alarme',
  failed: 'Die Alarme konnten nicht geladen werden.',
  none: 'Kein Alarm ist offen.',

  kinds: {
    silent: 'meldet sich nicht',
    network: 'Netz der Firma weg',
    few_stamps: 'stempelt viel weniger als sonst',
    gap: 'Lücke seit über einem Tag',
    queue: 'Warteschlange wächst',
    disk: 'Speicher fast voll',
    reader: 'Leser arbeitet nicht',
  },
  /** Of the installation itself. */
  ofService: {
    time: 'Uhrzeit des Servers ist zweifelhaft',
    collation: 'Sortierung der Datenbank hat sich geändert',
    share: 'Datenbank liegt auf einer Netzfreigabe',
    space: 'Platte des Servers ist fast voll',
    keys: 'Schlüsseldatei des Servers fehlt oder ist beschädigt',
  },

  clock: 'Uhr',
  allClocks: 'Alle Uhren',
  service: 'Server',
  kind: 'Alarm',
  company: 'Firma',
  since: 'Seit',
  until: 'Bis',
  still: 'offen',
  at: (moment: string) => `${moment} Uhr`,
  seenBy: 'Bestätigt von',
  nobody: '–',
  actions: 'Aktionen',

  acknowledge: 'Bestätigen',
  acknowledgeOf: (name: string, kind: string) => `„${name}“, ${kind}: bestätigen`,
  acknowledged: 'Bestätigt: Du kümmerst dich darum.',
  acknowledgeFailed: 'Bestätigen fehlgeschlagen.',

  settings: 'Alarme einstellen',
  settingsFailed: 'Die Einstellungen konnten nicht geladen werden.',
  mail: 'E-Mails bei Alarm und Entwarnung',
  mailHint: 'An alle, die hier verwalten und unter „Login & Passwort“ eine E-Mail-Adresse hinterlegt haben.',
  kindsLegend: 'Welche Alarme',
  quietFrom: 'Ruhezeit von',
  quietTo: 'Ruhezeit bis',
  quietHint:
    'In der Ruhezeit gehen keine E-Mails raus. Was bis zu ihrem Ende vorbei ist, wird nicht gemeldet.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  saveFailed: 'Speichern fehlgeschlagen.',
} as const
