export const texts = {
  title: 'Login',
  lead: 'Melde dich mit deiner Firma an.',
  company: 'Firmenname',
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Einloggen',
  fillIn: 'Bitte ausfüllen.',
  close: 'Schließen',
  unreachable: 'Server nicht erreichbar',
  failed: 'Login fehlgeschlagen',
  unknownStep:
    'Für diesen Zugang fehlt noch ein Anmeldeschritt, den diese Seite nicht kennt. Bitte lade die Seite neu oder wende dich an deine Firma.',
  showPassword: 'Passwort anzeigen',
} as const
