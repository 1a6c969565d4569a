import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  actions: {
    'user.locked': { kind: 'Konto gesperrt', sentence: name => `Das Konto von ${name} wurde gesperrt.` },
    'user.password_reset': {
      kind: 'Passwort zurückgesetzt',
      sentence: name => `Das Passwort von ${name} wurde zurückgesetzt.`,
    },
    'user.password_reset_all': {
      kind: 'Alle Passwörter zurückgesetzt',
      sentence: () => 'Die Passwörter der Firma wurden zurückgesetzt.',
    },
    'user.password_changed': {
      kind: 'Eigenes Passwort geändert',
      sentence: name => `${name} hat das eigene Passwort geändert.`,
    },
    'user.address_linked': {
      kind: 'E-Mail-Adresse verknüpft',
      sentence: name => `${name} hat eine E-Mail-Adresse verknüpft.`,
    },
    'user.second_factor_enabled': {
      kind: 'Authenticator aktiviert',
      sentence: name => `${name} hat den Authenticator aktiviert.`,
    },
    'user.second_factor_disabled': {
      kind: 'Authenticator deaktiviert',
      sentence: name => `${name} hat den Authenticator deaktiviert.`,
    },
    'user.second_factor_removed': {
      kind: 'Zweiten Faktor entfernt',
      sentence: name => `Der zweite Faktor von ${name} wurde entfernt.`,
    },
    'user.signed_out_everywhere': {
      kind: 'Überall abgemeldet',
      sentence: name => `${name} hat sich überall abgemeldet.`,
    },
  },
  members: { users: 'Personen' },
}
