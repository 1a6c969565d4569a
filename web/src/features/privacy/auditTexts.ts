import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { privacy: 'Datenschutz' },
  actions: {
    'privacy.accepted': {
      kind: 'Datenschutz zugestimmt',
      sentence: () => 'Für die Firma wurde den Datenschutzhinweisen zugestimmt.',
    },
  },
  members: { version: 'Fassung' },
}
