export const texts = {
  title: 'Login',
  back: 'Zurück',

  lead: 'Melde dich mit deiner Firma an.',
  company: 'Firmenname',
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Einloggen',
  fillIn: 'Bitte ausfüllen.',

  linkTitle: 'E-Mail-Adresse verknüpfen',
  linkLead:
    'Damit nur du in dein Konto kommst, schicken wir dir beim Login einen Code. An welche Adresse soll er gehen?',
  email: 'E-Mail-Adresse',
  sendCode: 'Code senden',

  otpTitle: 'Code aus der E-Mail',
  otpLead: 'Gib den 6-stelligen Code ein, den wir dir geschickt haben.',
  otpSending: 'Wir schicken dir einen Code …',
  /** What stands before and after the address. */
  otpSent: ['Wir haben einen Code an ', ' geschickt. Er gilt 10 Minuten.'],
  otpSentSomewhere: 'Wir haben dir einen Code geschickt. Er gilt 10 Minuten.',
  emailCode: '6-stelliger E-Mail-Code',
  resend: 'Code erneut senden',
  resendIn: (seconds: number) => `Code erneut senden (in ${seconds} s)`,
  otherAddress: 'Andere Adresse',

  totpTitle: 'Code aus der App',
  totpLead: 'Öffne deine Authenticator-App und gib den Code ein, der dort gerade steht.',
  appCode: '6-stelliger App-Code',
  noApp: 'Wiederherstellungscode verwenden',
  recoveryTitle: 'Wiederherstellungscode',
  recoveryLead:
    'Gib einen der zehn Codes ein, die du beim Einrichten der App gesichert hast. Jeder gilt einmal.',
  recoveryCode: 'Wiederherstellungscode',
  withApp: 'Doch den App-Code eingeben',
  remember: 'Dieses Gerät 30 Tage merken',
  rememberHint: 'Dann fragen wir hier nur nach deinem Passwort. Nicht an gemeinsam genutzten Geräten.',
  confirm: 'Bestätigen',

  changeTitle: 'Neues Passwort vergeben',
  changeLead: 'Dein Passwort wurde zurückgesetzt. Wähle jetzt ein eigenes, das nur du kennst.',
  newPassword: 'Neues Passwort',
  repeatPassword: 'Neues Passwort wiederholen',
  savePassword: 'Passwort speichern',
  allFields: 'Bitte alle Felder ausfüllen.',
  noMatch: 'Passwörter stimmen nicht überein.',

  unreachable: 'Server nicht erreichbar',
  failed: 'Login fehlgeschlagen',
  sendFailed: 'Fehler beim Senden des Codes',
  emailCodeFailed: 'Code ungültig oder abgelaufen',
  appCodeFailed: 'Code ungültig',
  changeFailed: 'Fehler beim Ändern.',
  unknownStep:
    'Für diesen Zugang fehlt noch ein Anmeldeschritt, den diese Seite nicht kennt. Bitte lade die Seite neu oder wende dich an deine Firma.',
} as const
