const CLOSED = {
  title: 'Push ist noch aus.',
  detail: 'Dein Browser hat gefragt, ob er dich benachrichtigen darf, und keine Antwort bekommen.',
}
const DENIED = {
  title: 'Dein Browser darf dich nicht benachrichtigen.',
  detail:
    'Erlaube es in den Einstellungen deines Browsers für diese Seite (meist beim Schloss neben der Adresse) und versuche es dann noch einmal.',
}

export const texts = {
  title: 'Benachrichtigungen',
  lead: 'Damit du nichts verpasst, wenn Stempelwerk zu ist. In der Benachrichtigung steht nur „Neue Nachricht“, nie der Inhalt.',
  failed: 'Deine Benachrichtigungen konnten nicht geladen werden.',
  offline: 'Was du gewählt hast, ist erst mit Verbindung wieder zu sehen.',
  caption: 'Worüber und wie du benachrichtigt wirst',
  kind: 'Worüber',
  channels: { push: 'Push auf diesem Gerät', mail: 'E-Mail' },
  kinds: {
    handoff: ['Übergaben', 'Jemand möchte dir einen Dienst übergeben oder hat dir geantwortet.'],
    decisions: ['Entscheidungen', 'Über Urlaub, Abwesenheiten, Korrekturen und Buchungen.'],
    schedule: ['Dienstplan', 'Deine Dienste haben sich geändert.'],
    requests: ['Anfragen', 'Anträge, Krankmeldungen und Übergaben in der Firma.'],
  },
  choice: (kind: string, channel: string) => `${kind}: ${channel}`,
  chooseFailed: 'Die Auswahl konnte nicht gespeichert werden.',
  deviceFailed: 'Push konnte auf diesem Gerät nicht umgestellt werden.',
  outcomes: {
    denied: DENIED,
    closed: CLOSED,
    failed: {
      title: 'Push ließ sich nicht einschalten.',
      detail: 'Dein Browser hat seinen Push-Dienst nicht erreicht. Bitte versuche es später noch einmal.',
    },
  },
  denied: `${DENIED.title} ${DENIED.detail}`,
  homeScreen:
    'Auf dem iPhone und iPad musst du Stempelwerk für Push zuerst zum Home-Bildschirm hinzufügen: auf „Teilen“ tippen, dann „Zum Home-Bildschirm“, und es von dort öffnen.',
  unable: 'Dieser Browser kann keinen Push empfangen.',
  noPush: 'Von diesem Server kommt kein Push.',
  noMail: 'Von diesem Server kommen keine E-Mails.',
  noAddress:
    'Mit deinem Konto ist keine E-Mail-Adresse verknüpft. Benachrichtigungen per E-Mail sind so nicht möglich.',
  address: (hint: string) => `E-Mails gehen an ${hint}.`,
  here: 'Dieses Gerät empfängt Push.',
  failing: (moment: string) =>
    `Seit dem ${moment} kommt auf diesem Gerät nichts an. Schalte Push hier aus und wieder ein.`,
  turnOff: 'Auf diesem Gerät ausschalten',
  elsewhere: 'Push ist eingeschaltet, aber nicht auf diesem Gerät.',
  turnOn: 'Auch auf diesem Gerät',
} as const
