/** What is said when a call fails, whichever page made it. */
export const texts = {
  /** A notice that the browser shows; it has no content. */
  newMessage: 'Neue Nachricht',
  unreachable: 'Server nicht erreichbar.',
  unanswered: 'Keine Antwort vom Server. Vielleicht ist es trotzdem geschehen: Bitte sieh nach.',
  unauthorized: 'Nicht autorisiert. Bitte neu einloggen.',
  endpointMissing: 'Endpoint nicht gefunden (404).',
  status: (status: number) =>
    status === 413
      ? 'Die Datei ist zu groß für diesen Server. (HTTP 413)'
      : status >= 500
        ? `Auf dem Server ist ein Fehler aufgetreten. (HTTP ${status})`
        : `Der Server hat die Anfrage nicht angenommen. (HTTP ${status})`,
} as const
