import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { schedule: 'Dienstplan', handoff: 'Dienstübergaben', calendar: 'Kalenderadressen' },
  actions: {
    'schedule.assigned': { kind: 'Dienst eingetragen', sentence: name => `${name} wurde eingeteilt.` },
    'schedule.removed': {
      kind: 'Dienst entfernt',
      sentence: name => `Ein Dienst von ${name} wurde entfernt.`,
    },
    'schedule.changed': {
      kind: 'Dienstplan geändert',
      sentence: () => 'Der Dienstplan wurde geändert.',
    },
    'schedule.published': {
      kind: 'Dienstplan veröffentlicht',
      sentence: () => 'Der Dienstplan wurde veröffentlicht.',
    },
    'schedule.ended': {
      kind: 'Dienste beendet',
      sentence: name => `Die künftigen Dienste von ${name} wurden beendet.`,
    },
    'handoff.requested': {
      kind: 'Übergabe angefragt',
      sentence: name => `Für einen Dienst von ${name} wurde eine Übergabe angefragt.`,
    },
    'handoff.accepted': {
      kind: 'Übergabe angenommen',
      sentence: name => `Ein Dienst von ${name} wurde übernommen.`,
    },
    'handoff.declined': {
      kind: 'Übergabe abgelehnt',
      sentence: name => `Die Übergabe eines Dienstes von ${name} wurde abgelehnt.`,
    },
    'handoff.withdrawn': {
      kind: 'Übergabe zurückgezogen',
      sentence: name => `Die Übergabeanfrage von ${name} wurde zurückgezogen.`,
    },
    'handoff.ended': {
      kind: 'Übergabe hinfällig',
      sentence: name => `Die Übergabe eines Dienstes von ${name} wurde hinfällig.`,
    },
    'calendar.address_given': {
      kind: 'Kalenderadresse erstellt',
      sentence: name => `Für ${name} wurde eine Kalenderadresse erstellt.`,
    },
    'calendar.address_ended': {
      kind: 'Kalenderadresse beendet',
      sentence: name => `Die Kalenderadresse von ${name} gilt nicht mehr.`,
    },
  },
  members: {
    dates: 'Tage',
    added: 'Eingetragen',
    removed: 'Entfernt',
    to: 'Übergabe an',
    told: 'Benachrichtigt',
  },
}
