const clocks = (count: number) => (count === 1 ? '1 Uhr' : `${count.toLocaleString('de-DE')} Uhren`)

export const texts = {
  rollouts: 'Rollouts',
  rolloutsFailed: 'Die Rollouts konnten nicht geladen werden.',
  noRollouts: 'Noch wurde keine Version verteilt.',
  earlier: 'Frühere Rollouts',
  start: 'Rollout starten',
  startOf: (name: string) => `Rollout starten: ${name}`,
  startLead:
    'Zuerst bekommen wenige Uhren die Version, dann immer mehr. Jede Stufe wird mit den übrigen Uhren verglichen; wird es schlechter, hält der Rollout von selbst an.',
  started: (version: string) => `Rollout von ${version} gestartet.`,
  startFailed: 'Der Rollout konnte nicht gestartet werden.',
  release: 'Version und Kanal',
  releaseMissing: 'Wähle eine Version aus.',
  nothingToStart: 'Es gibt keine Version, die verteilt werden kann.',
  canaries: 'Zuerst so viele Uhren',
  canariesHint: 'Gesunde Uhren aus verschiedenen Firmen; leer: keine',
  canariesWrong: 'Gib eine Zahl von 1 bis 100.000 ein.',
  shares: 'Dann Anteile in Prozent',
  sharesHint: 'Aufsteigend, am Ende 100',
  sharesWrong: 'Jede Stufe muss weiter reichen als die davor, und die letzte muss 100 % sein.',
  stageDays: 'Arbeitstage je Stufe',
  stageDaysHint:
    'So viele ganze Tage wird eine Stufe mindestens beurteilt, bevor die nächste beginnt. Kommen wenige Stempel, dauert es bis zu fünf Arbeitstage.',
  stageDaysOf: (days: number) =>
    days === 0 ? 'keiner: sofort weiter' : days === 1 ? '1 Tag' : `${days} Tage`,

  now: 'Sofort, auch während der Öffnungszeit',
  nowHint: 'Uhren wechseln, sobald eine Minute lang niemand stempelt, statt auf den Feierabend zu warten.',
  switches: 'Uhren wechseln',
  switchesNow: 'sofort, auch während der Öffnungszeit',

  states: {
    running: 'läuft',
    paused: 'angehalten',
    stopped: 'gestoppt',
    done: 'abgeschlossen',
    rolled_back: 'zurückgerollt',
  },
  stoppedTitle: 'Der Rollout wurde gestoppt.',
  heading: (version: string, channel: string) => `${version} · ${channel}`,
  stageSays: (stage: number, of: number, how: string) => `Stufe ${stage} von ${of}: ${how}`,
  progress: (updated: number, size: number) =>
    `${updated.toLocaleString('de-DE')} von ${clocks(size)} aktualisiert`,
  forNobody: 'Für keine Uhr bestimmt',
  forNobodyHint:
    'Beim Start war hier keine ältere Uhr. Wer später dazukommt, bekommt diese Version ohne Stufen.',
  waits: 'Wartet, bis genug Uhren dieser Stufe die Version haben.',
  judged: (days: number, of: number) =>
    of === 0 ? 'Die nächste Stufe beginnt gleich.' : `Wird beurteilt: ${days} von ${of} Arbeitstagen vorbei.`,
  goesBack: (count: number) =>
    count === 0
      ? 'Keine Uhr hat diese Version mehr.'
      : `${clocks(count)} ${count === 1 ? 'hat' : 'haben'} diese Version noch und ${count === 1 ? 'wechselt' : 'wechseln'}, wenn die Firma geschlossen hat. Bleibt es tagelang so, gibt es für sie keine frühere: Veröffentliche eine.`,
  startedAt: 'Gestartet',
  stages: 'Stufen',
  stage: 'Stufe',
  reach: (percent: number | null, count: number | null) =>
    percent === null ? clocks(count ?? 0) : `${percent} %`,
  of: (count: number, size: number) => `${count.toLocaleString('de-DE')} von ${size.toLocaleString('de-DE')}`,
  updated: 'Aktualisiert',
  failed: 'Gescheitert',
  state: 'Zustand',
  reason: 'Grund',

  moves: { pause: 'Anhalten', resume: 'Fortsetzen', rollback: 'Zurückrollen' },
  movesOf: {
    pause: (name: string) => `Rollout von ${name} anhalten?`,
    resume: (name: string) => `Rollout von ${name} fortsetzen?`,
    rollback: (name: string) => `Rollout von ${name} zurückrollen?`,
  },
  consequences: {
    pause: () => [
      'Keine weitere Uhr bekommt die Version, bis du ihn fortsetzt.',
      'Uhren, die sie schon haben, behalten sie.',
    ],
    resume: () => ['Die Stufe geht weiter, wo sie angehalten wurde.'],
    rollback: (count: number) => [
      `${clocks(count)} mit dieser Version ${count === 1 ? 'geht' : 'gehen'} zu der zurück, die vorher lief; gibt es die nicht mehr, zur neuesten davor. War es die erste, gehen die Uhren des Rollouts zu der zurück, mit der sie geliefert wurden.`,
      'Jede Uhr wechselt, wenn ihre Firma geschlossen hat. Hier steht dann, wie viele die Version noch haben.',
      'Keine weitere Uhr bekommt die Version. Zurücknehmen lässt sich das nicht.',
    ],
  },
  moved: { pause: 'Rollout angehalten.', resume: 'Rollout fortgesetzt.', rollback: 'Rollout zurückgerollt.' },
  moveFailed: {
    pause: 'Der Rollout konnte nicht angehalten werden.',
    resume: 'Der Rollout konnte nicht fortgesetzt werden.',
    rollback: 'Der Rollout konnte nicht zurückgerollt werden.',
  },

  releases: 'Versionen',
  releasesFailed: 'Die Versionen konnten nicht geladen werden.',
  noReleases: 'Noch ist keine Version veröffentlicht. Das geschieht mit „stempelwerk release publish“.',
  version: 'Version',
  channel: 'Kanal',
  published: 'Veröffentlicht',
  notes: 'Was neu ist',
  clocks: 'Uhren',
  actions: 'Aktionen',
  withdrawn: 'zurückgezogen',
  missing: 'fehlt',
  publishAgain:
    'Bitte erneut veröffentlichen: Diese Cloud hat die Version nicht oder nicht ganz, etwa nach einer Rücksicherung.',
  unpublished: 'hier unbekannt',
  platformsLeft: (name: string, platforms: readonly string[]) =>
    `${name} gibt es jetzt auch für ${platforms.join(', ')}.`,
  platformsLeftHint: 'Uhren dieser Bauart bekommen die Version erst mit einem neuen Rollout, in Stufen.',
  withdraw: 'Zurückziehen',
  withdrawOf: (version: string) => `Version ${version} zurückziehen`,
  withdrawLead:
    'Ab sofort bekommt keine Uhr diese Version mehr, in keinem Kanal, und ihre Rollouts werden gestoppt. Uhren, die sie haben, behalten sie, bis du zurückrollst. Das lässt sich nicht zurücknehmen.',
  withdrawReason: 'Grund',
  reasonMissing: 'Gib einen Grund an; er steht im Änderungsprotokoll.',
  withdrew: (version: string) => `Version ${version} zurückgezogen.`,
  withdrawFailed: 'Die Version konnte nicht zurückgezogen werden.',

  whereIs: 'Wer ist wo',
  whereEmpty: 'Es gibt noch keine Uhr.',
  unknown: 'unbekannt',
  online: 'Davon online',
  channels: 'Uhren und ihr Kanal',

  update: 'Update',
  updating: (state: string, version: string) => `${version}: ${state}`,
  updateStates: {
    loading: 'wird geladen',
    ready: 'wartet auf ein ruhiges Zeitfenster',
    trying: 'wird erprobt',
    failed: 'gescheitert, die vorige Version läuft',
  } as Readonly<Record<string, string>>,
  platform: 'Plattform',
} as const
