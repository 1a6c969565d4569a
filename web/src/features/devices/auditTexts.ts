import type { AuditWords } from '../feature'

export const auditTexts: AuditWords = {
  groups: { device: 'Geräte' },
  actions: {
    'device.assigned': {
      kind: 'Gerät zugeordnet',
      sentence: name => `Gerät „${name}“ wurde der Firma zugeordnet.`,
      nameless: 'Ein unbekanntes Gerät wurde der Firma zugeordnet.',
    },
    'device.unassigned': {
      kind: 'Gerätezuordnung beendet',
      sentence: name => `Die Zuordnung von Gerät „${name}“ wurde beendet.`,
      nameless: 'Die Zuordnung eines unbekannten Geräts wurde beendet.',
    },
    'device.changed': {
      kind: 'Gerät geändert',
      sentence: name => `Gerät „${name}“ wurde geändert.`,
      nameless: 'Ein unbekanntes Gerät wurde geändert.',
    },
  },
  members: { notes: 'Notizen' },
}
