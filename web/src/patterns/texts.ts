/** The words that every page says in the same way. */
export const texts = {
  nothingKept: 'Änderungen gehen erst wieder, wenn er antwortet; nichts wird für später aufgehoben.',
  notSeenOffline: 'Erst mit Verbindung wieder zu sehen.',

  sortBy: (column: string) => `Nach ${column} sortieren`,
  count: (shown: number, all: number) => (shown === all ? `${all}` : `${shown} von ${all}`),

  leaveTitle: 'Nicht gespeicherte Änderungen',
  leaveQuestion: 'Du hast hier etwas eingegeben, das noch nicht gespeichert ist.',
  leaveConfirm: 'Verwerfen',
  leaveStay: 'Weiter bearbeiten',

  sending: 'Wird gesendet …',
  receiving: 'Wird geladen …',
  sent: (part: string) => `${part} gesendet`,
  progress: (percent: number) => `${percent} %`,
} as const
