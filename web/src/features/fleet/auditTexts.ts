import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { update: 'Updates der Uhren' },
  actions: {
    'update.published': {
      kind: 'Updates veröffentlicht',
      sentence: () => 'Unterschriebene Updates für Uhren wurden veröffentlicht.',
    },
    'update.withdrawn': {
      kind: 'Version zurückgezogen',
      sentence: (_, after) => `Version ${String(after?.version ?? '')} der Uhren wurde zurückgezogen.`,
    },
  },
  members: { root: 'Wurzel', fingerprint: 'Fingerabdruck', versions: 'Neue Versionen', version: 'Version' },
}
