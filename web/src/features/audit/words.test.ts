import { describe, expect, it } from 'vitest'
import { auditWords } from '../../app/features'
import { type AuditEntry, actorOf, type Change, Words } from './words'

const words = new Words(await auditWords())

function entry(action: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'e-1',
    at: '2026-11-20T10:10:00.000Z',
    actor: 'u-2',
    actorName: 'Ingrid Holm',
    action,
    subject: 'u-1',
    subjectName: 'Mia Sommer',
    before: null,
    after: null,
    hash: 'ab'.repeat(32),
    ...more,
  }
}

describe('who acted', () => {
  it.each([
    [{}, 'Ingrid Holm'],
    [{ actorName: null }, 'Unbekannt'],
    [{ actor: null, actorName: null }, 'Installation'],
  ])('%j is %s', (more, name) => expect(actorOf(entry('user.locked', more))).toBe(name))
})

type Row = [string, Partial<AuditEntry>, string, Change[]]

describe('an entry', () => {
  const TABLE: Row[] = [
    ['user.locked', {}, 'Das Konto von Mia Sommer wurde gesperrt.', []],
    [
      'user.created',
      { after: { username: 'Mia Sommer', role: 'user', tag: '04A1B2C3' } },
      'Mia Sommer wurde angelegt.',
      [
        { label: 'Rolle', after: 'Mitarbeiter' },
        { label: 'Tag-ID', after: '04A1B2C3' },
      ],
    ],
    [
      'user.created',
      { subjectName: null, after: { username: 'Mia Sommer', role: 'user' } },
      'Mia Sommer wurde angelegt.',
      [{ label: 'Rolle', after: 'Mitarbeiter' }],
    ],
    [
      'user.created',
      { subjectName: 'Mia Winter', after: { username: 'Mia Sommer' } },
      'Mia Winter wurde angelegt.',
      [{ label: 'Benutzername', after: 'Mia Sommer' }],
    ],
    [
      'user.role',
      { before: { role: 'user' }, after: { role: 'companyAdmin' } },
      'Die Rolle von Mia Sommer wurde geändert.',
      [{ label: 'Rolle', before: 'Mitarbeiter', after: 'Firmen-Admin' }],
    ],
    [
      'user.tag',
      { before: { tag: null }, after: { tag: '04A1B2C3', tagFrom: '2026-11-20T06:58:00.000Z' } },
      'Die Tag-ID von Mia Sommer wurde geändert.',
      [
        { label: 'Tag-ID', before: 'keine', after: '04A1B2C3' },
        { label: 'Chip gilt ab', after: '20.11.2026, 07:58 Uhr' },
      ],
    ],
    [
      'user.deleted',
      { subjectName: null, before: { username: 'Mia', role: 'user', tags: [] } },
      'Mia wurde gelöscht.',
      [
        { label: 'Benutzername', before: 'Mia' },
        { label: 'Rolle', before: 'Mitarbeiter' },
        { label: 'Tag-IDs', before: 'keine' },
      ],
    ],
    [
      'user.changed',
      { subjectName: null, before: { username: null }, after: { username: null } },
      'Der Benutzername von Unbekannt wurde geändert.',
      [],
    ],
    [
      'user.password_reset_all',
      { subject: null, subjectName: null, after: { users: ['u-1', 'u-2'] } },
      'Die Passwörter der Firma wurden zurückgesetzt.',
      [{ label: 'Personen', after: '2' }],
    ],
    [
      'company.features',
      {
        before: { features: ['costs', 'schedule'] },
        after: { features: ['absences', 'error_log', 'schedule'] },
      },
      'Die Module der Firma wurden geändert.',
      [
        { label: 'Freigeschaltet', after: 'Abwesenheiten bestätigen, Fehlerlog' },
        { label: 'Abgeschaltet', after: 'Mitarbeiterkosten einsehen' },
      ],
    ],
    [
      'company.settings',
      {
        before: {
          validFrom: '2026-12-01',
          employeesMayDelete: true,
          breakPolicy: 'statutory',
          holidayRegion: null,
        },
        after: {
          validFrom: '2026-12-01',
          employeesMayDelete: false,
          breakPolicy: 'none',
          holidayRegion: 'DE-BY',
        },
      },
      'Die Einstellungen der Firma wurden geändert.',
      [
        { label: 'Gilt ab', after: '01.12.2026' },
        { label: 'Mitarbeiter dürfen löschen', before: 'ja', after: 'nein' },
        { label: 'Pausenregel', before: 'gesetzlich', after: 'nur warnen' },
        { label: 'Feiertage', before: '–', after: 'DE-BY' },
      ],
    ],
    [
      'device.changed',
      {
        subjectName: 'Werkstatt',
        before: { name: 'Uhr 1', notes: null },
        after: { name: 'Werkstatt', notes: null },
      },
      'Gerät „Werkstatt“ wurde geändert.',
      [{ label: 'Name', before: 'Uhr 1', after: 'Werkstatt' }],
    ],
    [
      'stamps.tag_given',
      { after: { tag: '04A1B2C3', from: '2026-11-19T23:00:00.000Z', booked: 3 } },
      'Ein unbekannter Chip wurde Mia Sommer zugeordnet.',
      [
        { label: 'Tag-ID', after: '04A1B2C3' },
        { label: 'Von', after: '20.11.2026, 00:00 Uhr' },
        { label: 'Gebuchte Stempel', after: '3' },
      ],
    ],
    [
      'stamps.resolved',
      { after: { action: 'discard' } },
      'Ein zurückgehaltener Stempel wurde verworfen.',
      [],
    ],
    [
      'stamps.resolved',
      { after: { action: 'something' } },
      'Über einen zurückgehaltenen Stempel wurde entschieden.',
      [],
    ],
    [
      'entry.deleted',
      { before: { userId: 'u-1', start: '2026-11-20T06:58:00.000Z', end: null } },
      'Ein Zeiteintrag von Mia Sommer wurde gelöscht.',
      [
        { label: 'Kommen', before: '20.11.2026, 07:58 Uhr' },
        { label: 'Gehen', before: 'offen' },
      ],
    ],
    [
      'correction.approved',
      { after: { userId: 'u-1', date: '2026-11-20', breakMinutes: 30 } },
      'Eine Zeitkorrektur für Mia Sommer wurde genehmigt.',
      [
        { label: 'Datum', after: '20.11.2026' },
        { label: 'Pause', after: '30 min' },
      ],
    ],
    [
      'roster.swap_forced',
      { after: { dutyDay: '2026-11-20', deep: { one: 1 } } },
      'roster: swap forced (Mia Sommer)',
      [
        { label: 'dutyDay', after: '20.11.2026' },
        { label: 'deep', after: '{"one":1}' },
      ],
    ],
    [
      'correction.approved',
      {
        before: { start: '2026-11-20T06:58:04.000Z', end: '2026-11-20T15:00:00.000Z' },
        after: { start: '2026-11-20T06:58:51.000Z', end: '2026-11-20T15:00:00.000Z' },
      },
      'Eine Zeitkorrektur für Mia Sommer wurde genehmigt.',
      [{ label: 'Kommen', before: '20.11.2026, 07:58:04 Uhr', after: '20.11.2026, 07:58:51 Uhr' }],
    ],
    [
      'entry.deleted',
      { before: { tags: [] }, after: { tags: null } },
      'Ein Zeiteintrag von Mia Sommer wurde gelöscht.',
      [{ label: 'Tag-IDs', before: 'keine', after: '–' }],
    ],
    ...[
      ['device.assigned', 'Ein unbekanntes Gerät wurde der Firma zugeordnet.'] as const,
      ['device.unassigned', 'Die Zuordnung eines unbekannten Geräts wurde beendet.'] as const,
      ['device.changed', 'Ein unbekanntes Gerät wurde geändert.'] as const,
      ['stamps.released', 'Zurückgehaltene Stempel eines unbekannten Geräts wurden freigegeben.'] as const,
    ].map(([action, sentence]): Row => [action, { subjectName: null }, sentence, []]),
    ['toString', { subjectName: null }, 'toString', []],
  ]

  it.each(TABLE)('%s %j reads "%s"', (action, more, sentence, changes) => {
    expect(words.sentenceOf(entry(action, more))).toBe(sentence)
    expect(words.changesOf(entry(action, more))).toEqual(changes)
  })

  it('has a name for its kind and its group, also if nobody has met it yet', () => {
    expect([words.kindOf('user.locked'), words.groupOf('user.locked')]).toEqual([
      'Konto gesperrt',
      'Personen und Zugänge',
    ])
    expect([words.kindOf('roster.swap_forced'), words.groupOf('roster')]).toEqual([
      'roster: swap forced',
      'roster',
    ])
  })
})
