import { texts as uiTexts } from '../../ui/texts'

export const texts = {
  title: 'Login & Passwort',
  lead: 'Deine Zugangsdaten, und was sie schützt.',
  offline: 'Ändern kannst du hier erst wieder etwas, wenn die Verbindung steht.',

  data: 'Deine Login-Daten',
  username: 'Benutzername',
  company: 'Firma',
  companyId: 'Firmen-ID',
  companyIdHint: 'Wenn du den Support anschreibst, nenne diese Nummer.',

  password: 'Passwort ändern',
  passwordLead: 'Danach bist du auf allen anderen Geräten abgemeldet. Hier bleibst du angemeldet.',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: `${uiTexts.passwordLength} Lieber ein langer Satz als ein kurzes Rätsel.`,
  repeatPassword: 'Neues Passwort wiederholen',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Passwort erfolgreich geändert.',
  allFields: 'Bitte alle Felder ausfüllen.',
  fillIn: 'Bitte ausfüllen.',
  noMatch: 'Passwörter stimmen nicht überein.',
  changeFailed: 'Fehler beim Ändern.',

  authenticator: 'Authenticator-App',
  authenticatorLead:
    'Mit einer App wie Aegis, 2FAS oder Google Authenticator fragt der Login nach einem Code, den nur dein Handy kennt. Das schützt dein Konto auch dann, wenn jemand dein Passwort erfährt.',
  active: 'aktiv',
  inactive: 'nicht aktiv',
  statusFailed: 'Status konnte nicht geladen werden.',
  setUp: 'Authenticator einrichten',
  setupFailed: 'Setup konnte nicht gestartet werden.',
  setupPasswordLead:
    'Du bist schon eine Weile angemeldet. Mit deinem Passwort zeigst du, dass du es bist, und nicht jemand an deinem offenen Gerät.',
  yourPassword: 'Dein Passwort',
  passwordMissing: 'Bitte dein Passwort eingeben.',
  next: 'Weiter',
  scan: 'Öffne deine App und scanne dieses Bild.',
  qr: 'QR-Code für deine Authenticator-App',
  typeInstead: 'Kein Scanner zur Hand? Gib in der App diesen Schlüssel ein:',
  secret: 'Schlüssel',
  thenCode: 'Gib dann den Code ein, den die App zeigt.',
  appCode: '6-stelliger App-Code',
  othersEnd: 'Danach bist du auf allen anderen Geräten abgemeldet. Hier bleibst du angemeldet.',
  activate: 'Aktivieren',
  cancel: 'Abbrechen',
  codeWrong: 'Code ungültig.',
  codeMissing: 'Bitte 6-stelligen App-Code eingeben.',
  activated: 'Authenticator erfolgreich aktiviert.',

  codesTitle: 'Deine Wiederherstellungscodes',
  codesLead:
    'Wenn dein Handy weg ist, kommst du mit einem dieser Codes hinein. Jeder gilt einmal. Du siehst sie nur jetzt: Bewahre sie dort auf, wo du sie auch ohne dein Handy findest.',
  codesSheet: (username: string) => `Stempelwerk: Wiederherstellungscodes von ${username}`,
  codesFile: 'stempelwerk-wiederherstellungscodes.txt',
  downloadCodes: 'Herunterladen',
  printCodes: 'Drucken',
  saved: 'Ich habe sie gesichert',
  notSaved: 'Bitte bestätige erst, dass du sie gesichert hast.',
  done: 'Fertig',
  codesLeft: (count: number) =>
    count === 0
      ? 'Du hast keinen Wiederherstellungscode mehr.'
      : count === 1
        ? 'Du hast noch 1 Wiederherstellungscode.'
        : `Du hast noch ${count} Wiederherstellungscodes.`,
  renewCodes: 'Neue Codes bekommst du, wenn du den Authenticator deaktivierst und wieder einrichtest.',

  disable: 'Authenticator deaktivieren',
  disableLead:
    'Danach schützt nur noch dein Passwort und, wenn eingerichtet, ein Code per E-Mail dein Konto.',
  disableCode: 'App-Code oder Wiederherstellungscode',
  disableNow: 'Deaktivieren',
  disableFailed: 'Deaktivieren fehlgeschlagen.',
  disabled: 'Authenticator deaktiviert.',

  ownData: 'Deine Daten',
  ownDataLead:
    'Alles, was über dich gespeichert ist: zum Lesen, als Tabellen und mit deinen Dateien, gepackt als ZIP.',
  takeData: 'Daten herunterladen',
  dataName: 'meine-daten.zip',
  dataFailed: 'Download fehlgeschlagen.',

  sessions: 'Angemeldete Geräte',
  sessionsLead: 'Kommt dir etwas fremd vor? Dann beende die Sitzung und ändere dein Passwort.',
  sessionsFailed: 'Deine Sitzungen konnten nicht geladen werden.',
  unknownDevice: 'Unbekanntes Gerät',
  thisSession: 'diese Sitzung',
  times: (signedIn: string, seen: string) => `Angemeldet ${signedIn} · zuletzt aktiv ${seen}`,
  todayAt: (time: string) => `heute, ${time} Uhr`,
  yesterdayAt: (time: string) => `gestern, ${time} Uhr`,
  dayAt: (moment: string) => `am ${moment} Uhr`,
  end: 'Beenden',
  endOf: (device: string) => `Sitzung beenden: ${device}`,
  endTitle: 'Sitzung beenden?',
  endLead: (device: string) => `Wer dort angemeldet ist (${device}), muss sich neu einloggen.`,
  endNow: 'Sitzung beenden',
  endFailed: 'Die Sitzung konnte nicht beendet werden.',
  ended: 'Sitzung beendet.',
  everywhere: 'Überall abmelden',
  everywhereTitle: 'Überall abmelden?',
  everywhereLead:
    'Alle Sitzungen enden sofort, auch diese. Kein Gerät ist danach noch gemerkt: Beim nächsten Login fragen wir überall nach dem zweiten Schritt.',
  everywhereFailed: 'Das Abmelden hat nicht geklappt.',
} as const
