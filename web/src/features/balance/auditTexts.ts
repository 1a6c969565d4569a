import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { statement: 'Zeitnachweise' },
  actions: {
    'statement.made': {
      kind: 'Zeitnachweis ausgestellt',
      sentence: name => `Ein Zeitnachweis von ${name} wurde ausgestellt.`,
      nameless: 'Ein Zeitnachweis wurde ausgestellt.',
    },
  },
  members: { month: 'Monat', digest: 'Prüfsumme' },
}
