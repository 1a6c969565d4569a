import type { AuditWords } from '../feature'

const NOUNS: Readonly<Record<string, string>> = { vacation: 'Urlaub', wish: 'Wunschfrei' }

function nounOf(values: Readonly<Record<string, unknown>> | null): string {
  return NOUNS[String(values?.leaveKind)] ?? 'Urlaub oder Wunschfrei'
}

export const auditTexts: AuditWords = {
  groups: {
    vacation: 'Urlaub und Wunschfrei',
    closure: 'Betriebsferien',
    vacation_notice: 'Hinweise auf Verfall',
  },
  actions: {
    'vacation.requested': {
      kind: 'Urlaub oder Wunschfrei beantragt',
      sentence: (name, after) => `${name} hat ${nounOf(after)} beantragt.`,
    },
    'vacation.withdrawn': {
      kind: 'Antrag zurückgezogen',
      sentence: name => `${name} hat einen Antrag auf Urlaub oder Wunschfrei zurückgezogen.`,
    },
    'vacation.approved': {
      kind: 'Urlaub oder Wunschfrei genehmigt',
      sentence: (name, after) => `${nounOf(after)} von ${name} wurde genehmigt.`,
    },
    'vacation.declined': {
      kind: 'Urlaub oder Wunschfrei abgelehnt',
      sentence: (name, after) => `${nounOf(after)} von ${name} wurde abgelehnt.`,
    },
    'vacation.moved': {
      kind: 'Urlaub geändert',
      sentence: name => `Genehmigter Urlaub von ${name} wurde geändert.`,
    },
    'vacation.cancelled': {
      kind: 'Urlaub storniert',
      sentence: name => `Genehmigter Urlaub von ${name} wurde storniert.`,
    },
    'vacation.cancel_requested': {
      kind: 'Stornierung gewünscht',
      sentence: name => `${name} bittet, genehmigten Urlaub zu stornieren.`,
    },
    'vacation.kept': {
      kind: 'Stornierung abgelehnt',
      sentence: name => `Genehmigter Urlaub von ${name} bleibt bestehen.`,
    },
    'vacation.ended': {
      kind: 'Urlaub oder Wunschfrei durch Austritt beendet',
      sentence: (name, after) => `${nounOf(after)} von ${name} endet wegen des Austritts.`,
    },
    'vacation.policy': {
      kind: 'Urlaubsregelung geändert',
      sentence: () => 'Die Urlaubsregelung der Firma wurde geändert.',
      nameless: 'Die Urlaubsregelung der Firma wurde geändert.',
    },
    'vacation.days': {
      kind: 'Urlaubstage geändert',
      sentence: name => `Die Urlaubstage von ${name} wurden geändert.`,
    },
    'closure.created': {
      kind: 'Betriebsferien eingetragen',
      sentence: () => 'Betriebsferien wurden eingetragen.',
      nameless: 'Betriebsferien wurden eingetragen.',
    },
    'closure.given': {
      kind: 'Betriebsferien für Neue eingetragen',
      sentence: () => 'Wer neu ist, hat Urlaub für die Betriebsferien bekommen.',
      nameless: 'Wer neu ist, hat Urlaub für die Betriebsferien bekommen.',
    },
    'closure.removed': {
      kind: 'Betriebsferien entfernt',
      sentence: () => 'Betriebsferien wurden entfernt.',
      nameless: 'Betriebsferien wurden entfernt.',
    },
    'vacation_notice.sent': {
      kind: 'Hinweis auf Verfall gesendet',
      sentence: name => `${name} wurde auf verfallenden Urlaub hingewiesen.`,
    },
  },
  members: {
    leaveKind: 'Art',
    people: 'Personen',
    startDate: 'Erster Tag',
    endDate: 'Letzter Tag',
    startHalf: 'Erster Tag halb',
    endHalf: 'Letzter Tag halb',
    leaveStatus: 'Stand',
    overAllowance: 'Mehr als der Resturlaub',
    vacationMode: 'Urlaubsregelung',
    scaleByWorkdays: 'Nach Arbeitstagen umgerechnet',
    carryUntil: 'Übertrag verfällt am (Monat-Tag)',
    uniformDays: 'Urlaubstage für alle',
    yearlyDays: 'Urlaubstage im Jahr',
  },
  values: {
    leaveKind: NOUNS,
    leaveStatus: { pending: 'offen', approved: 'genehmigt', declined: 'abgelehnt', cancelled: 'storniert' },
    vacationMode: { uniform: 'einheitlich', perUser: 'je Person' },
  },
}
