export const texts = {
  title: 'Support & Kontakt',
  lead: 'Schreib uns, wenn etwas nicht geht oder fehlt. Antworten findest du hier und in deinen Nachrichten.',
  offline: 'Schreiben kannst du erst wieder mit Verbindung.',

  write: 'Nachricht schreiben',
  subject: 'Betreff',
  category: 'Kategorie',
  categories: { question: 'Frage', incident: 'Störung', billing: 'Abrechnung', feature: 'Wunsch' },
  priority: 'Priorität',
  priorities: { low: 'niedrig', normal: 'normal', high: 'hoch', urgent: 'dringend' },
  email: 'E-Mail für die Antwort (freiwillig)',
  message: 'Nachricht',
  includeLogs: 'Systeminfos und Protokolle deiner Uhren mitsenden',
  includeLogsHint:
    'Hilft beim Suchen. Es sind technische Meldungen, keine Zeiten; nach einer Woche sind sie weg.',
  send: 'Nachricht senden',
  incomplete: 'Bitte Betreff und Nachricht ausfüllen.',
  sent: 'Nachricht erfolgreich an den Support gesendet.',
  sendFailed: 'Senden fehlgeschlagen. Bitte später erneut versuchen.',

  own: 'Deine Nachrichten',
  none: 'Du hast dem Support noch nicht geschrieben.',
  statuses: { open: 'offen', in_progress: 'in Bearbeitung', closed: 'geschlossen' },
  answers: (count: number) =>
    count === 0 ? 'noch keine Antwort' : count === 1 ? '1 Antwort' : `${count} Antworten`,
  moment: (day: string, time: string) => `${day}, ${time} Uhr`,
  says: (who: string, moment: string) => `${who}, ${moment}`,
  you: 'Nachricht',
  reply: 'Antwort',
  sendReply: 'Antwort senden',
  replyMissing: 'Bitte eine Antwort schreiben.',
  replied: 'Antwort gesendet.',
  replyFailed: 'Die Antwort konnte nicht gesendet werden.',

  more: 'Ältere laden',
  noMore: 'Ältere Nachrichten gibt es nicht.',
  moreFailed: 'Ältere Nachrichten konnten nicht geladen werden.',
  failed: 'Support-Nachrichten konnten nicht geladen werden.',

  inbox: 'Support-Nachrichten',
  inboxLead: 'Was Firmen schreiben, neueste zuerst. Deine Antwort sehen sie auf ihrer Seite.',
  filter: 'Status',
  all: 'alle',
  inboxEmpty: 'Hier ist nichts.',
  status: 'Status der Nachricht',
  statusFailed: 'Status konnte nicht geändert werden.',
  contact: 'Kontakt',
  noContact: 'keine E-Mail angegeben',
  logsAttached: 'Protokolle beigefügt',
  logs: (count: number) =>
    count === 1 ? '1 Zeile aus den Protokollen' : `${count} Zeilen aus den Protokollen`,
  noLogs: 'Von damals steht in den Protokollen der Uhren nichts (mehr).',
} as const

export type Status = keyof typeof texts.statuses
export type Category = keyof typeof texts.categories
export type Priority = keyof typeof texts.priorities
