import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { privacy: 'Datenschutz', records: 'Auskunft und Löschung' },
  actions: {
    'privacy.accepted': {
      kind: 'Datenschutz zugestimmt',
      sentence: () => 'Für die Firma wurde den Datenschutzhinweisen zugestimmt.',
    },
    'records.taken': {
      kind: 'Daten einer Person heruntergeladen',
      sentence: name => `Alle gespeicherten Daten von ${name} wurden heruntergeladen.`,
    },
    'records.erased': {
      kind: 'Daten einer Person gelöscht',
      sentence: name => `Von den Daten von ${name} wurde gelöscht, was gelöscht werden darf.`,
      nameless: 'Von den Daten einer Person wurde gelöscht, was gelöscht werden darf.',
    },
    'records.purged': {
      kind: 'Nach Ablauf der Frist gelöscht',
      sentence: () => 'Was seine Frist überschritten hat, wurde gelöscht.',
    },
  },
  members: {
    version: 'Version',
    erased: 'Gelöscht',
    kept: 'Aufbewahrt',
    until: 'Bis',
    table: 'Tabelle',
    count: 'Anzahl',
    timesYears: 'Zeiten aufbewahren (Jahre)',
  },
}
