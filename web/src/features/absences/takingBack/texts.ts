import { texts as pageTexts } from '../texts'

/** Words that come with the dialogs alone. */
export const texts = {
  reason: pageTexts.reason,
  leave: ({ kind, startDate, endDate }: { kind: 'vacation' | 'wish'; startDate: string; endDate: string }) =>
    `${pageTexts.kinds[kind]}, ${pageTexts.span(startDate, endDate)}`,
  cancelTitle: 'Stornierung wünschen?',
  cancelLead: (what: string) =>
    `${what}: Deine Verwaltung entscheidet. Bis dahin bleibt alles genehmigt, wie es ist.`,
  cancelSend: 'Um Stornierung bitten',
  cancelWished: 'Deine Verwaltung sieht jetzt, dass du stornieren möchtest.',
  cancelFailed: 'Deine Bitte konnte nicht gesendet werden.',
  recover: 'Zurückziehen',
  recoverTitle: 'Krankmeldung zurückziehen?',
  recoverLead:
    'Das geht, solange noch nicht entschieden ist. Die Tage gelten dann, als hättest du sie nie gemeldet; eine hochgeladene Krankmeldung wird mit ihnen gelöscht.',
  recoverWhich: 'Welche Tage?',
  recoverAll: (count: number) => `Alle ${count} offenen Tage`,
  recovered: 'Krankmeldung zurückgezogen.',
  recoverFailed: 'Zurückziehen fehlgeschlagen.',
} as const
