/** The words that every page says in the same way. */
export const texts = {
  nothingKept: 'Änderungen gehen erst wieder, wenn er antwortet; nichts wird für später aufgehoben.',
  /** Of a part of the app whose code does not come. */
  partMissing: 'Server nicht erreichbar',
  /** Of one that the browser does not fetch again, although the server answers. */
  partStuck: 'Der Server antwortet wieder. Lade die Seite neu, dann kommt dieser Teil.',
  updateReady: 'Eine neue Version ist da.',
  updateHeld: 'Speichere oder verwirf zuerst, was du hier eingegeben hast.',
  loadAnew: 'Neu laden',
  notSeenOffline: 'Erst mit Verbindung wieder zu sehen.',

  leaveTitle: 'Nicht gespeicherte Änderungen',
  leaveQuestion: 'Du hast hier etwas eingegeben, das noch nicht gespeichert ist.',
  leaveConfirm: 'Verwerfen',
  leaveStay: 'Weiter bearbeiten',

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
