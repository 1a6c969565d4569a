import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { note: 'Tagesnotizen' },
  actions: {
    'note.changed': {
      kind: 'Tagesnotiz geändert',
      sentence: (_, after) =>
        after === null ? 'Eine Tagesnotiz wurde gelöscht.' : 'Eine Tagesnotiz wurde geschrieben.',
    },
  },
  members: { noteText: 'Notiz', notesKeptDays: 'Notizen aufbewahren, Tage' },
}
