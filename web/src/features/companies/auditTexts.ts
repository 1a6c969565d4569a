import { MODULES } from '../../entities/modules/texts'
import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { company: 'Firma' },
  actions: {
    'company.created': { kind: 'Firma angelegt', sentence: name => `Firma „${name}“ wurde angelegt.` },
    'company.deleted': { kind: 'Firma geschlossen', sentence: name => `Firma „${name}“ wurde geschlossen.` },
    'company.archived': {
      kind: 'Firmenarchiv',
      sentence: () => 'Alle Daten der Firma wurden als Archiv heruntergeladen.',
    },
    'company.purged': {
      kind: 'Firmendaten gelöscht',
      sentence: name =>
        `Alle Daten der geschlossenen Firma „${name}“ wurden nach Ablauf der Fristen gelöscht.`,
    },
    'company.features': {
      kind: 'Module geändert',
      sentence: () => 'Die Module der Firma wurden geändert.',
    },
    'company.settings': {
      kind: 'Einstellungen geändert',
      sentence: () => 'Die Einstellungen der Firma wurden geändert.',
    },
  },
  members: { features: 'Module' },
  values: {
    features: MODULES,
  },
}
