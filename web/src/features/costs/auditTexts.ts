import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { compensation: 'Stundensätze und Löhne' },
  actions: {
    'compensation.changed': {
      kind: 'Stundensätze geändert',
      sentence: () => 'Die Stundensätze der Firma wurden geändert.',
    },
    'compensation.person': {
      kind: 'Lohn geändert',
      sentence: name => `Stundensatz oder Monatslohn von ${name} wurde geändert.`,
    },
  },
  members: {
    compensationMode: 'Berechnung der Kosten',
    defaultHourly: 'Stundensatz für alle',
    departmentRates: 'Sätze der Abteilungen',
    hourlyRate: 'Stundensatz',
    monthlyWage: 'Monatslohn',
  },
  values: {
    compensationMode: {
      uniform: 'Einheitlicher Stundensatz',
      department: 'Abteilungs-Sätze',
      perUserHourly: 'Individuelle Stundensätze',
      perUserMonthly: 'Feste Monatslöhne',
    },
  },
}
