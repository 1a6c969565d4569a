import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { day_note: 'Tagesnotizen' },
  actions: {
    'day_note.written': {
      kind: 'Tagesnotiz geschrieben',
      sentence: () => 'Eine Tagesnotiz wurde geschrieben.',
    },
    'day_note.deleted': {
      kind: 'Tagesnotiz gelöscht',
      sentence: () => 'Eine Tagesnotiz wurde gelöscht.',
    },
  },
  members: { day: 'Tag', text: 'Notiz' },
}
