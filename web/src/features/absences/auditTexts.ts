import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { absence: 'Abwesenheiten' },
  actions: {
    'absence.reported': {
      kind: 'Krankmeldung eingetragen',
      sentence: name => `Eine Krankmeldung von ${name} wurde eingetragen.`,
    },
    'absence.missed': {
      kind: 'Fehltag festgestellt',
      sentence: name => `${name} war eingeteilt und hat nicht gestempelt.`,
    },
    'absence.came': {
      kind: 'Fehltag entfallen',
      sentence: name => `Ein Fehltag von ${name} ist entfallen: Es gibt einen Stempel.`,
    },
    'absence.note_added': {
      kind: 'Krankmeldung hochgeladen',
      sentence: name => `Zu einer Abwesenheit von ${name} wurde eine Krankmeldung hochgeladen.`,
    },
    'absence.note_read': {
      kind: 'Krankmeldung angesehen',
      sentence: name => `Eine Krankmeldung von ${name} wurde angesehen.`,
    },
    'absence.note_removed': {
      kind: 'Krankmeldung gelöscht',
      sentence: name => `Eine Krankmeldung von ${name} wurde nach Ablauf ihrer Frist gelöscht.`,
    },
    'absence.message_added': {
      kind: 'Nachricht zur Abwesenheit',
      sentence: name => `${name} hat eine Nachricht zu einer Abwesenheit geschrieben.`,
    },
    'absence.excused': {
      kind: 'Abwesenheit entschuldigt',
      sentence: name => `Eine Abwesenheit von ${name} wurde entschuldigt.`,
    },
    'absence.declined': {
      kind: 'Abwesenheit abgelehnt',
      sentence: name => `Eine Abwesenheit von ${name} wurde abgelehnt.`,
    },
    'absence.withdrawn': {
      kind: 'Krankmeldung zurückgezogen',
      sentence: name => `${name} hat eine Krankmeldung zurückgezogen.`,
    },
    'absence.cancelled': {
      kind: 'Abwesenheit storniert',
      sentence: name => `Eine Abwesenheit von ${name} wurde storniert.`,
    },
    'absence.reopened': {
      kind: 'Abwesenheit wieder geöffnet',
      sentence: name => `Über eine Abwesenheit von ${name} ist neu zu entscheiden.`,
    },
    'absence.special': {
      kind: 'Sonstige Abwesenheit eingetragen',
      sentence: name => `Für ${name} wurde eine Abwesenheit eingetragen.`,
    },
    'absence.ended': {
      kind: 'Abwesenheit durch Austritt entfallen',
      sentence: name => `Eine Abwesenheit von ${name} ist wegen des Austritts entfallen.`,
    },
  },
  members: {
    sickNoteMonths: 'Krankmeldungen aufbewahren (Monate)',
    replaced: 'Ersetzt eine frühere',
    certified: 'eAU abgerufen',
    credited: 'Zählt als gearbeitet',
  },
}
