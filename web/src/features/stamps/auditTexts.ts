import type { AuditWords } from '../feature'

const DECISIONS: Readonly<Record<string, string>> = {
  book: 'Ein zurückgehaltener Stempel wurde gebucht.',
  discard: 'Ein zurückgehaltener Stempel wurde verworfen.',
}

export const auditTexts: AuditWords = {
  groups: { stamps: 'Zurückgehaltene Stempel' },
  actions: {
    'stamps.tag_given': {
      kind: 'Unbekannter Chip zugeordnet',
      sentence: name => `Ein unbekannter Chip wurde ${name} zugeordnet.`,
    },
    'stamps.resolved': {
      kind: 'Stempel entschieden',
      sentence: (_, after) =>
        DECISIONS[String(after?.action)] ?? 'Über einen zurückgehaltenen Stempel wurde entschieden.',
    },
    'stamps.released': {
      kind: 'Stempel freigegeben',
      sentence: name => `Zurückgehaltene Stempel von Gerät „${name}“ wurden freigegeben.`,
      nameless: 'Zurückgehaltene Stempel eines unbekannten Geräts wurden freigegeben.',
    },
  },
  members: { booked: 'Gebuchte Stempel', released: 'Freigegebene Stempel', takenAt: 'Zeitpunkt' },
}
