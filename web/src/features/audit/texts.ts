export const texts = {
  title: 'Änderungsprotokoll',
  lead: 'Wer hat wann was entschieden? Einträge lassen sich hier weder ändern noch löschen, und wenn es doch jemand täte, fiele es auf: Die Prüfsumme kettet jeden Eintrag an den vorigen.',
  offline: 'Neue Einträge siehst du, sobald die Verbindung wieder steht.',

  filters: 'Einträge filtern',
  person: 'Wer',
  anybody: 'Alle',
  kind: 'Was',
  anything: 'Alles',
  allOf: (group: string) => `${group}: alles`,
  from: 'Von',
  to: 'Bis',
  reversed: 'Der Anfang liegt nach dem Ende.',
  clear: 'Filter zurücksetzen',

  list: 'Einträge',
  at: 'Wann',
  who: 'Wer',
  what: 'Was',
  hash: 'Prüfsumme',
  copyHash: (hash: string) => `Prüfsumme kopieren: ${hash}`,
  hashCopied: 'Prüfsumme kopiert.',
  installation: 'Installation',
  unknownPerson: 'Unbekannt',
  clock: (time: string) => `${time} Uhr`,

  before: 'vorher',
  after: 'nachher',
  more: 'Weitere laden',
  noMore: 'Ältere Einträge gibt es nicht.',
  empty: 'Noch hat niemand etwas entschieden, was hierher gehört.',
  emptyFiltered: 'Für diese Auswahl gibt es keine Einträge.',
  failed: 'Das Protokoll konnte nicht geladen werden.',
  moreFailed: 'Weitere Einträge konnten nicht geladen werden.',
} as const

/** What a value is called when there is none, or nobody may read it any more. */
export const valueTexts = {
  none: '–',
  erased: 'gelöscht',
  yes: 'ja',
  no: 'nein',
  nothing: 'keine',
  open: 'offen',
  minutes: (count: number) => `${count} min`,
  moment: (day: string, time: string) => `${day}, ${time} Uhr`,
} as const

export const roleTexts: Readonly<Record<string, string>> = {
  user: 'Mitarbeiter',
  companyAdmin: 'Firmen-Admin',
  admin: 'System-Admin',
}

export const featureTexts: Readonly<Record<string, string>> = {
  manage_employees: 'Mitarbeiter verwalten',
  schedule: 'Dienstplan verwalten',
  absences: 'Abwesenheiten bestätigen',
  costs: 'Mitarbeiterkosten einsehen',
  devices: 'Geräte verwalten',
  hours_config: 'Arbeitszeiten konfigurieren',
  monthly_mail: 'Daten Export',
  error_log: 'Fehlerlog',
  present: 'Anwesende Mitarbeiter',
  privacy: 'Datenschutz zustimmen',
  data_view: 'Gespeicherte Firmendaten sehen',
}

/** The names of the members that `before` and `after` carry. */
export const memberTexts: Readonly<Record<string, string>> = {
  username: 'Benutzername',
  role: 'Rolle',
  tag: 'Tag-ID',
  tags: 'Tag-IDs',
  tagFrom: 'Tag gilt ab',
  protectedAs: 'Geschützt als',
  name: 'Name',
  notes: 'Notizen',
  features: 'Module',
  added: 'Freigeschaltet',
  removed: 'Abgeschaltet',
  validFrom: 'Gilt ab',
  timeZone: 'Zeitzone',
  breakPolicy: 'Pausenregel',
  doubleTapSeconds: 'Doppeltes Stempeln, Sekunden',
  maxShiftHours: 'Längste Schicht, Stunden',
  askAfterHours: 'Nachfrage nach, Stunden',
  holidayRegion: 'Feiertage',
  employeesMayDelete: 'Mitarbeiter dürfen löschen',
  clockShowsBalance: 'Uhr zeigt Zeitkonto',
  from: 'Von',
  to: 'Bis',
  since: 'Ab',
  booked: 'Gebuchte Stempel',
  released: 'Freigegebene Stempel',
  takenAt: 'Zeitpunkt',
  date: 'Datum',
  start: 'Kommen',
  end: 'Gehen',
  breakMinutes: 'Pause',
  users: 'Personen',
}

export const breakPolicyTexts: Readonly<Record<string, string>> = {
  statutory: 'gesetzlich',
  none: 'nur warnen',
}

export const groupTexts: Readonly<Record<string, string>> = {
  company: 'Firma',
  user: 'Personen und Zugänge',
  device: 'Geräte',
  stamps: 'Zurückgehaltene Stempel',
  entry: 'Zeiteinträge',
  correction: 'Zeitkorrekturen',
}

/** The actions, as a filter names them. */
export const kindTexts: Readonly<Record<string, string>> = {
  'company.created': 'Firma angelegt',
  'company.deleted': 'Firma geschlossen',
  'company.features': 'Module geändert',
  'company.settings': 'Einstellungen geändert',
  'user.created': 'Person angelegt',
  'user.changed': 'Benutzername geändert',
  'user.role': 'Rolle geändert',
  'user.tag': 'Tag-ID geändert',
  'user.deleted': 'Person gelöscht',
  'user.locked': 'Konto gesperrt',
  'user.password_reset': 'Passwort zurückgesetzt',
  'user.password_reset_all': 'Alle Passwörter zurückgesetzt',
  'user.password_changed': 'Eigenes Passwort geändert',
  'user.address_linked': 'E-Mail-Adresse verknüpft',
  'user.second_factor_enabled': 'Authenticator aktiviert',
  'user.second_factor_disabled': 'Authenticator deaktiviert',
  'user.second_factor_removed': 'Zweiten Faktor entfernt',
  'user.signed_out_everywhere': 'Überall abgemeldet',
  'device.assigned': 'Gerät zugeordnet',
  'device.unassigned': 'Gerätezuordnung beendet',
  'device.changed': 'Gerät geändert',
  'stamps.tag_given': 'Unbekannte Tag-ID zugeordnet',
  'stamps.resolved': 'Stempel entschieden',
  'stamps.released': 'Stempel freigegeben',
  'entry.deleted': 'Zeiteintrag gelöscht',
  'correction.approved': 'Zeitkorrektur genehmigt',
}

/** What happened, as a sentence; `name` is whom or what it concerns. */
export const sentenceTexts: Readonly<Record<string, (name: string) => string>> = {
  'company.created': name => `Firma „${name}“ wurde angelegt.`,
  'company.deleted': name => `Firma „${name}“ wurde geschlossen.`,
  'company.features': () => 'Die Module der Firma wurden geändert.',
  'company.settings': () => 'Die Einstellungen der Firma wurden geändert.',
  'user.created': name => `${name} wurde angelegt.`,
  'user.changed': name => `Der Benutzername von ${name} wurde geändert.`,
  'user.role': name => `Die Rolle von ${name} wurde geändert.`,
  'user.tag': name => `Die Tag-ID von ${name} wurde geändert.`,
  'user.deleted': name => `${name} wurde gelöscht.`,
  'user.locked': name => `Das Konto von ${name} wurde gesperrt.`,
  'user.password_reset': name => `Das Passwort von ${name} wurde zurückgesetzt.`,
  'user.password_reset_all': () => 'Die Passwörter der Firma wurden zurückgesetzt.',
  'user.password_changed': name => `${name} hat das eigene Passwort geändert.`,
  'user.address_linked': name => `${name} hat eine E-Mail-Adresse verknüpft.`,
  'user.second_factor_enabled': name => `${name} hat den Authenticator aktiviert.`,
  'user.second_factor_disabled': name => `${name} hat den Authenticator deaktiviert.`,
  'user.second_factor_removed': name => `Der zweite Faktor von ${name} wurde entfernt.`,
  'user.signed_out_everywhere': name => `${name} hat sich überall abgemeldet.`,
  'device.assigned': name => `Gerät „${name}“ wurde der Firma zugeordnet.`,
  'device.unassigned': name => `Die Zuordnung von Gerät „${name}“ wurde beendet.`,
  'device.changed': name => `Gerät „${name}“ wurde geändert.`,
  'stamps.tag_given': name => `Eine unbekannte Tag-ID wurde ${name} zugeordnet.`,
  'stamps.resolved': () => 'Über einen zurückgehaltenen Stempel wurde entschieden.',
  'stamps.booked': () => 'Ein zurückgehaltener Stempel wurde gebucht.',
  'stamps.discarded': () => 'Ein zurückgehaltener Stempel wurde verworfen.',
  'stamps.released': name => `Zurückgehaltene Stempel von Gerät „${name}“ wurden freigegeben.`,
  'entry.deleted': name => `Ein Zeiteintrag von ${name} wurde gelöscht.`,
  'correction.approved': name => `Eine Zeitkorrektur für ${name} wurde genehmigt.`,
}

/** What happened to a device that nobody knows. */
export const namelessTexts: Readonly<Record<string, string>> = {
  'device.assigned': 'Ein unbekanntes Gerät wurde der Firma zugeordnet.',
  'device.unassigned': 'Die Zuordnung eines unbekannten Geräts wurde beendet.',
  'device.changed': 'Ein unbekanntes Gerät wurde geändert.',
  'stamps.released': 'Zurückgehaltene Stempel eines unbekannten Geräts wurden freigegeben.',
}
