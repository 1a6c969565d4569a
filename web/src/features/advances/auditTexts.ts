import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { advance: 'Vorschüsse' },
  actions: {
    'advance.requested': {
      kind: 'Vorschuss beantragt',
      sentence: name => `${name} hat einen Vorschuss beantragt.`,
    },
    'advance.approved': {
      kind: 'Vorschuss genehmigt',
      sentence: name => `Ein Vorschuss von ${name} wurde genehmigt.`,
    },
    'advance.declined': {
      kind: 'Vorschuss abgelehnt',
      sentence: name => `Ein Vorschuss von ${name} wurde abgelehnt.`,
    },
  },
  members: { cents: 'Betrag in Cent' },
}
