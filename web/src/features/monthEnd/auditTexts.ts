import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { monthly_mail: 'Monatlicher Versand' },
  actions: {
    'monthly_mail.changed': {
      kind: 'Monatlicher Versand eingestellt',
      sentence: () => 'Der monatliche Versand wurde eingestellt.',
    },
    'monthly_mail.sent': {
      kind: 'Export per E-Mail gesendet',
      sentence: () => 'Ein Export wurde per E-Mail gesendet.',
    },
  },
  members: {
    active: 'Automatischer Versand',
    delivery: 'Art der Zustellung',
    recipients: 'Empfänger',
    newZipPassword: 'Neues ZIP-Passwort',
  },
  values: {
    delivery: { file: 'Datei im Anhang', link: 'Link', zip: 'Verschlüsselte ZIP-Datei' },
  },
}
