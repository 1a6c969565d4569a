import { flagTexts } from '../../entities/entries/texts'
import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { entry: 'Zeiteinträge', correction: 'Zeitkorrekturen' },
  actions: {
    'entry.deleted': {
      kind: 'Zeiteintrag gelöscht',
      sentence: name => `Ein Zeiteintrag von ${name} wurde gelöscht.`,
    },
    'entry.confirmed': {
      kind: 'Zeiteintrag geprüft',
      sentence: name => `Ein Zeiteintrag von ${name} wurde geprüft und bleibt so.`,
    },
    'correction.approved': {
      kind: 'Zeitkorrektur genehmigt',
      sentence: name => `Eine Zeitkorrektur für ${name} wurde genehmigt.`,
    },
    'correction.requested': {
      kind: 'Zeitkorrektur beantragt',
      sentence: name => `Eine Zeitkorrektur für ${name} wurde beantragt.`,
    },
    'correction.declined': {
      kind: 'Zeitkorrektur abgelehnt',
      sentence: name => `Eine Zeitkorrektur für ${name} wurde abgelehnt.`,
    },
    'correction.withdrawn': {
      kind: 'Korrekturantrag zurückgezogen',
      sentence: name => `Ein Korrekturantrag von ${name} wurde zurückgezogen.`,
    },
  },
  members: {
    start: 'Kommen',
    end: 'Gehen',
    breakMinutes: 'Pause',
    flags: 'Hinweise',
    comment: 'Kommentar',
    timeZone: 'Zeitzone',
    breakPolicy: 'Pausenregel',
    doubleTapSeconds: 'Doppeltes Stempeln, Sekunden',
    maxShiftHours: 'Längste Schicht, Stunden',
    askAfterHours: 'Nachfrage nach, Stunden',
    holidayRegion: 'Feiertage',
    rulesFrom: 'Neue Regeln ab',
    employeesMayDelete: 'Mitarbeiter dürfen löschen',
    clockShowsBalance: 'Uhr zeigt Zeitkonto',
  },
  values: {
    breakPolicy: { statutory: 'gesetzlich', none: 'nur warnen' },
    flags: Object.fromEntries(Object.entries(flagTexts).map(([flag, { label }]) => [flag, label])),
  },
}
