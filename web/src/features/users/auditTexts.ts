import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { user: 'Personen und Zugänge' },
  actions: {
    'user.created': { kind: 'Person angelegt', sentence: name => `${name} wurde angelegt.` },
    'user.changed': {
      kind: 'Benutzername geändert',
      sentence: name => `Der Benutzername von ${name} wurde geändert.`,
    },
    'user.role': { kind: 'Rolle geändert', sentence: name => `Die Rolle von ${name} wurde geändert.` },
    'user.works_council': {
      kind: 'Betriebsrat geändert',
      sentence: name => `Der Zugang von ${name} für den Betriebsrat wurde geändert.`,
    },
    'user.tag': { kind: 'Tag-ID geändert', sentence: name => `Die Tag-ID von ${name} wurde geändert.` },
    'user.deleted': { kind: 'Person gelöscht', sentence: name => `${name} wurde gelöscht.` },
  },
  members: {
    username: 'Benutzername',
    role: 'Rolle',
    tag: 'Tag-ID',
    tags: 'Tag-IDs',
    tagFrom: 'Chip gilt ab',
    protectedAs: 'Geschützt als',
    worksCouncil: 'Betriebsrat',
  },
  values: { role: { user: 'Mitarbeiter', companyAdmin: 'Firmen-Admin', admin: 'System-Admin' } },
}
