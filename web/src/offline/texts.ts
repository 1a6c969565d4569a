/** What is said of what this device keeps to be sent. */
export const texts = {
  tooOld: 'Das liegt schon über 30\u00a0Tage hier. Bitte sieh nach, ob es noch stimmt, und sende es neu.',
  notAccepted: 'Der Server hat das nicht angenommen.',
  unsent: (moment: string) => `Wird gesendet, sobald der Server antwortet (seit ${moment})`,
  refusedTitle: (what: string) => `Nicht angenommen: ${what}`,
  edit: 'Noch einmal bearbeiten',
  discard: 'Verwerfen',
  discardTitle: 'Nicht gesendetes verwerfen',
  discardQuestion: (what: string) =>
    `${what} ist noch nicht beim Server und wird dann auch nicht mehr gesendet.`,

  unreachableAndUnkept:
    'Server nicht erreichbar, und dieses Gerät hebt gerade nichts auf. Bitte sende es noch einmal, sobald er antwortet.',
} as const
