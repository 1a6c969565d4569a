import type { AuditWords } from '../feature'
import { texts } from './texts'

export const auditTexts: AuditWords = {
  groups: { support: 'Support' },
  actions: {
    'support.sent': {
      kind: 'Support angeschrieben',
      sentence: () => 'Eine Nachricht ging an den Support.',
    },
    'support.replied': {
      kind: 'Im Support geantwortet',
      sentence: () => 'Auf eine Nachricht an den Support wurde geantwortet.',
    },
    'support.status': {
      kind: 'Support-Nachricht: Status',
      sentence: () => 'Der Status einer Nachricht an den Support wurde geändert.',
    },
  },
  members: { category: 'Kategorie', priority: 'Priorität' },
  values: { category: texts.categories, priority: texts.priorities },
}
