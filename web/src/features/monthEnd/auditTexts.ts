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
    'monthly_mail.declined': {
      kind: 'Export per E-Mail abbestellt',
      sentence: () => 'Ein Empfänger hat die E-Mails mit dem Export abbestellt.',
    },
    'monthly_mail.resumed': {
      kind: 'Abbestellung zurückgenommen',
      sentence: () => 'Ein Empfänger bekommt die E-Mails mit dem Export wieder.',
    },
  },
  members: {
    active: 'Automatischer Versand',
    delivery: 'Art der Zustellung',
    recipients: 'Empfänger',
    recipient: 'Empfänger',
    newZipPassword: 'Neues ZIP-Passwort',
  },
  values: {
    delivery: { file: 'Datei im Anhang', link: 'Link', zip: 'Verschlüsselte ZIP-Datei' },
  },
}
