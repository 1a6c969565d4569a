import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: {
    export: 'Exporte',
    month: 'Monatsabschluss',
    payroll_mapping: 'Lohnarten',
  },
  actions: {
    'export.made': {
      kind: 'Monat exportiert',
      sentence: () => 'Die Zeiten eines Monats wurden exportiert.',
    },
    'month.locked': {
      kind: 'Monat abgeschlossen',
      sentence: () => 'Ein Monat wurde für die Lohnabrechnung abgeschlossen.',
    },
    'payroll_mapping.changed': {
      kind: 'Lohnarten geändert',
      sentence: () => 'Die Lohnarten für die Lohnabrechnung wurden geändert.',
    },
  },
  members: {
    format: 'Format',
    draft: 'Entwurf',
    adviserNumber: 'Beraternummer',
    clientNumber: 'Mandantennummer',
    wageTypes: 'Lohnarten',
    absenceKeys: 'Ausfallschlüssel',
    costCentres: 'Kostenstellen',
  },
  values: {
    format: {
      xlsx: 'Excel',
      csv: 'CSV',
      pdf: 'PDF',
      lodas: 'LODAS',
      lug: 'Lohn und Gehalt',
      difference: 'Nachmeldung',
    },
  },
}
