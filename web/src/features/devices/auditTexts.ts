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
    'device.channel_set': {
      kind: 'Update-Kanal gesetzt',
      sentence: name => `Der Update-Kanal von Gerät „${name}“ wurde gesetzt.`,
      nameless: 'Der Update-Kanal mehrerer Geräte wurde gesetzt.',
    },
    'device.revoked': {
      kind: 'Gerät gesperrt',
      sentence: name => `Gerät „${name}“ wurde gesperrt.`,
      nameless: 'Ein unbekanntes Gerät wurde gesperrt.',
    },
    'device.replaced': {
      kind: 'Gerät ersetzt',
      sentence: name => `Gerät „${name}“ wurde durch ein anderes ersetzt.`,
      nameless: 'Ein unbekanntes Gerät wurde ersetzt.',
    },
    'device.key_reset': {
      kind: 'Geräteschlüssel zurückgesetzt',
      sentence: name => `Der Schlüssel von Gerät „${name}“ wurde zurückgesetzt.`,
      nameless: 'Der Schlüssel eines unbekannten Geräts wurde zurückgesetzt.',
    },
    'device.decommissioned': {
      kind: 'Gerät außer Betrieb',
      sentence: name => `Gerät „${name}“ wurde außer Betrieb genommen.`,
      nameless: 'Ein unbekanntes Gerät wurde außer Betrieb genommen.',
    },
  },
  members: { notes: 'Notizen', channel: 'Update-Kanal', devices: 'Geräte', deviceId: 'Ersatzgerät' },
  values: { channel: { stable: 'stable', beta: 'beta' } },
}
