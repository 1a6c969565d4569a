import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { trip: 'Dienstfahrten' },
  actions: {
    'trip.asked': {
      kind: 'Dienstfahrt eingereicht',
      sentence: name => `${name} hat eine Dienstfahrt eingereicht.`,
    },
    'trip.approved': {
      kind: 'Dienstfahrt genehmigt',
      sentence: name => `Eine Dienstfahrt von ${name} wurde genehmigt.`,
    },
    'trip.declined': {
      kind: 'Dienstfahrt abgelehnt',
      sentence: name => `Eine Dienstfahrt von ${name} wurde abgelehnt.`,
    },
  },
  members: { kilometres: 'Kilometer' },
}
