/** The words that every page says in the same way. */
export const texts = {
  nothingKept: 'Änderungen gehen erst wieder, wenn er antwortet; nichts wird für später aufgehoben.',
  /** Of a part of the app whose code does not come. */
  partMissing: 'Server nicht erreichbar',
  notSeenOffline: 'Erst mit Verbindung wieder zu sehen.',

  leaveTitle: 'Nicht gespeicherte Änderungen',
  leaveQuestion: 'Du hast hier etwas eingegeben, das noch nicht gespeichert ist.',
  leaveConfirm: 'Verwerfen',
  leaveStay: 'Weiter bearbeiten',

  tooOld: 'Das liegt schon über 30\u00a0Tage hier. Bitte sieh nach, ob es noch stimmt, und sende es neu.',
  notAccepted: 'Der Server hat das nicht angenommen.',
  unsent: (moment: string) => `Wird gesendet, sobald der Server antwortet (seit ${moment})`,
  refusedTitle: (what: string) => `Nicht angenommen: ${what}`,
  edit: 'Noch einmal bearbeiten',
  discard: 'Verwerfen',
  discardTitle: 'Nicht gesendetes verwerfen',
  discardQuestion: (what: string) =>
    `${what} ist noch nicht beim Server und wird dann auch nicht mehr gesendet.`,
  queued: 'Gespeichert. Wird gesendet, sobald der Server antwortet.',
  keptForLater:
    'Was du jetzt absendest, bleibt auf diesem Gerät und geht hinaus, sobald er wieder antwortet.',

  live: 'Aktualisiert sich von selbst',
  asOf: (time: string) => `Stand ${time} Uhr`,

  sending: 'Wird gesendet …',
  receiving: 'Wird geladen …',
  sent: (part: string) => `${part} gesendet`,
  progress: (percent: number) => `${percent} %`,
} as const
