export const texts = {
  title: 'Unterschriften',
  failed: 'Die Unterschriften konnten nicht geladen werden.',
  empty:
    'Noch ist nichts unterschrieben. Das beginnt mit der Schlüsselzeremonie (docs/key-ceremony.md); danach steht hier, wie lange was gilt.',
  role: 'Was',
  roles: {
    root: 'Wurzel (root)',
    targets: 'Verteilung (targets)',
    stable: 'Kanal stable',
    beta: 'Kanal beta',
    snapshot: 'Bestand (snapshot)',
    timestamp: 'Zeitstempel (timestamp)',
  } as Readonly<Record<string, string>>,
  by: 'Wer unterschreibt',
  service: 'der Dienst, täglich',
  people: 'Menschen, mit ihren Schlüsseln',
  end: 'Gilt bis',
  state: 'Zustand',
  noEnd: '–',
  states: {
    good: 'gilt',
    soon: 'läuft bald ab',
    over: 'abgelaufen',
    unreadable: 'nicht lesbar',
    unknown: 'ungewiss',
  },
  titles: {
    unknown: 'Ob Unterschriften gelten, ist gerade ungewiss.',
    unreadable: 'Unterschriften lassen sich nicht lesen.',
    over: 'Unterschriften sind abgelaufen.',
    soon: 'Unterschriften laufen bald ab.',
  },
} as const
