import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { inquiry: 'Anfragen' },
  actions: {
    'inquiry.deleted': { kind: 'Anfrage gelöscht', sentence: () => 'Eine Anfrage wurde gelöscht.' },
  },
}
