/** The texts about an unreliable device, fetched with the notice. */
export const texts = {
  unkeptTitle: 'Dieses Gerät kann gerade nichts für später aufheben.',
  unkept:
    'Was du absendest, geht nur hinaus, solange der Server antwortet. Vielleicht hilft es, andere Fenster von Stempelwerk zu schließen.',
  lostTitle: (count: number) =>
    count === 1
      ? 'Eine gemerkte Anfrage ist verloren gegangen.'
      : `${count} gemerkte Anfragen sind verloren gegangen.`,
  lost: 'Dieser Browser hat gelöscht, was hier noch nicht gesendet war. Bitte sieh nach, was fehlt, und sende es neu.',
  understood: 'Verstanden',
} as const
