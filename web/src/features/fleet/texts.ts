const CHANNELS = 'Im Kanal stable stehen erprobte Versionen, im Kanal beta solche, die noch erprobt werden.'

import { texts as clocks } from '../../entities/clocks/texts'

export const texts = {
  ...clocks,
  title: 'Geräteverzeichnis',
  lead: 'Alle Uhren der Plattform, auch die ohne Firma. Eine neue Uhr meldet sich von selbst; ordne sie nach dem Code zu, der auf ihrer Anzeige steht. Eine Firma sieht nur ihre eigenen, unter „Geräte verwalten“.',
  offline: 'Gezeigt wird, was zuletzt bekannt war.',
  failed: 'Die Geräte konnten nicht geladen werden.',
  filter: 'Anzeigen',
  filters: { unassigned: 'Nicht zugeordnet', all: 'Alle', withdrawn: 'Gesperrt oder außer Betrieb' },
  search: 'Gerät suchen',
  searchHint: 'Code, Seriennummer, Name, Firma oder Adresse',
  searched: {
    unassigned: 'Gesucht wird in allen Uhren in Betrieb.',
    all: 'Gesucht wird in allen Uhren in Betrieb.',
    withdrawn: 'Gesucht wird in Uhren, die gesperrt oder außer Betrieb sind.',
  },
  searchIn: {
    all: 'In allen Uhren in Betrieb suchen',
    withdrawn: 'In gesperrten und außer Betrieb suchen',
  },
  list: 'Geräte',
  empty: {
    unassigned: 'Jede Uhr ist einer Firma zugeordnet.',
    all: 'Noch hat sich keine Uhr gemeldet.',
    withdrawn: 'Keine Uhr ist gesperrt oder außer Betrieb.',
  },
  nothing: 'Kein Gerät passt dazu.',
  more: 'Weitere laden',
  noMore: 'Weitere Geräte gibt es nicht.',
  moreFailed: 'Weitere Geräte konnten nicht geladen werden.',

  company: 'Firma',
  nobody: 'keine',
  lastSeen: 'Letzter Kontakt',
  code: 'Zuordnungscode',
  forked:
    'Diese Uhr gibt es zweimal, oder ihre Speicherkarte ist auf einem alten Stand. Ihre Stempel zählen trotzdem.',
  conflict:
    'Unter dieser Seriennummer, oder mit diesem Schlüssel in anderer Hardware, hat sich eine Uhr gemeldet.',

  logs: 'Meldungen der Uhr',
  noLogs: 'In der letzten Woche hat die Uhr nichts gemeldet.',
  level: 'Stufe',
  levels: { info: 'Info', warn: 'Warnung', error: 'Fehler' } as Readonly<Record<string, string>>,
  logCode: 'Code',
  message: 'Meldung',
  technical: 'Technische Einzelheiten',

  showOf: (name: string) => `„${name}“ ansehen`,
  name: 'Anzeigename',
  saveFailed: 'Fehler beim Speichern.',

  claim: 'Uhr mit Code zuordnen',
  claimCode: 'Code auf der Anzeige',
  claimHint: 'Acht Zeichen, wie sie auf der Uhr stehen.',
  codeMissing: 'Gib die acht Zeichen des Codes ein.',
  codeUnknown: 'Keine freie Uhr zeigt diesen Code.',
  assign: 'Firma zuordnen',
  assignOf: (name: string) => `Firma für „${name}“`,
  since: 'Gilt ab',
  sinceWhole: 'Bitte Tag und Uhrzeit angeben.',
  sinceHint:
    'Leer: ab jetzt. Ein früherer Zeitpunkt holt auch Stempel, die die Uhr seitdem ohne Firma gesammelt hat.',
  assigned: 'Firma zugeordnet.',
  assignedWith: (count: number) =>
    count === 0
      ? 'Firma zugeordnet. Frühere Stempel sind noch keine da; was unterwegs ist, kommt nach.'
      : count === 1
        ? 'Firma zugeordnet. 1 früherer Stempel kam mit.'
        : `Firma zugeordnet. ${count} frühere Stempel kamen mit.`,
  assignFailed: 'Die Zuordnung ist fehlgeschlagen.',

  unassign: 'Zuordnung lösen',
  unassignQuestion: (name: string) => `Zuordnung von „${name}“ lösen?`,
  unassignConsequences: [
    'Ab jetzt gehört die Uhr keiner Firma. Sie vergisst die Namen der Mitarbeiter.',
    'Bisherige Stempel bleiben bei der Firma, auch solche, die sie noch nicht gesendet hat.',
    'Was danach gestempelt wird, wartet unter „Stempel ohne Firma“.',
  ],
  unassigned: 'Zuordnung gelöst.',
  unassignFailed: 'Die Zuordnung konnte nicht gelöst werden.',

  replace: 'Ersetzen',
  replaceOf: (name: string) => `„${name}“ ersetzen`,
  replaceLead:
    'Die neue Uhr übernimmt Firma, Namen, Notizen und Update-Kanal. Liegt die alte Speicherkarte in ihr, liefert sie auch deren Stempel nach. Die alte Uhr wird nicht gesperrt.',
  spare: 'Ersatzgerät',
  spareHint: 'Nicht zugeordnete Uhren, mit Code: Nimm die, auf deren Display er als „Code dieser Uhr“ steht.',
  spareMissing: 'Wähle das Ersatzgerät aus.',
  noSpare: 'Keine freie Uhr passt dazu.',
  replaced: (serial: string) => `${serial} hat übernommen.`,
  replaceFailed: 'Das Ersetzen ist fehlgeschlagen.',

  reason: 'Grund',
  reasonMissing: 'Gib einen Grund an; er steht im Änderungsprotokoll.',
  resetKey: 'Schlüssel zurücksetzen',
  resetKeyOf: (name: string) => `Schlüssel von „${name}“ zurücksetzen`,
  resetKeyLead:
    'Der Schlüssel gilt wieder als der dieser Uhr: Die Warnungen verschwinden, und die Hardware wird beim nächsten Start neu vermerkt. Tu das, wenn du weißt, wo die Uhr hängt.',
  keyReset: 'Schlüssel zurückgesetzt.',
  resetFailed: 'Der Schlüssel konnte nicht zurückgesetzt werden.',
  revoke: 'Sperren',
  revokeOf: (name: string) => `„${name}“ sperren`,
  revokeLead:
    'Der Schlüssel wird ab sofort abgelehnt. Was die Uhr noch nicht gesendet hat, kommt nicht mehr an, bis ein Ersatzgerät mit ihrer Speicherkarte übernimmt. Das lässt sich nicht zurücknehmen.',
  revoked: 'Uhr gesperrt.',
  revokeFailed: 'Die Uhr konnte nicht gesperrt werden.',
  decommission: 'Außer Betrieb nehmen',
  decommissionQuestion: (name: string) => `„${name}“ außer Betrieb nehmen?`,
  decommissionConsequences: (queue: number | null) => [
    ...(queue === null || queue === 0
      ? []
      : [`Auf der Uhr liegen noch ${queue} Stempel, die dann nicht mehr ankommen.`]),
    'Die Zuordnung endet, der Schlüssel wird abgelehnt, und die Uhr verschwindet aus den Listen.',
    'Ihre Stempel bleiben. Zurücknehmen lässt sich das nicht.',
  ],
  decommissionWord: 'Zur Bestätigung die Seriennummer eingeben',
  decommissionWrong: 'Das ist nicht die Seriennummer.',
  decommissioned: 'Uhr außer Betrieb genommen.',
  decommissionFailed: 'Die Uhr konnte nicht außer Betrieb genommen werden.',

  back: 'Zum Verzeichnis',
  deviceFailed: 'Die Uhr konnte nicht geladen werden.',
  withdrawnAs: {
    revoked: 'Diese Uhr ist gesperrt.',
    decommissioned: 'Diese Uhr ist außer Betrieb.',
  } as Readonly<Record<string, string>>,
  because: (reason: string) => `Grund: ${reason}`,
  profile: 'Bauart',
  channel: 'Update-Kanal',
  quality: 'Uhrzeit',
  qualities: { ntp: 'aus dem Netz', rtc: 'eigene Uhr', manual: 'von Hand', none: 'unbekannt' } as Readonly<
    Record<string, string>
  >,
  reader: 'Leser',
  readers: { ok: 'arbeitet', absent: 'nicht da', fault: 'gestört' } as Readonly<Record<string, string>>,
  disk: 'Freier Speicher',
  megabytes: (count: number) => `${count.toLocaleString('de-DE')} MB`,
  uptime: 'Läuft seit',
  hours: (seconds: number) =>
    seconds < 172_800 ? `${Math.floor(seconds / 3600)} Stunden` : `${Math.floor(seconds / 86_400)} Tagen`,
  enrolled: 'Angemeldet',
  replaces: 'Ersetzt',
  replacedBy: 'Ersetzt durch',
  history: 'Letzte sieben Tage',
  historyFailed: 'Der Verlauf konnte nicht geladen werden.',
  historyEmpty: 'In den letzten sieben Tagen hat sich die Uhr nicht gemeldet.',
  historySays: (share: string, queue: number) =>
    `Erreichbar in ${share} der Zeit; höchstens ${queue} Stempel warteten.`,
  historyTable: 'Alle Änderungen',
  at: 'Zeitpunkt',
  state: 'Zustand',
  assignments: 'Zuordnungen',
  noAssignments: 'Die Uhr gehörte noch keiner Firma.',
  from: 'Von',
  to: 'Bis',
  still: 'jetzt',
  scanners: 'Tragbare Scanner',
  docked: 'in der Basis',
  underWay: 'unterwegs',
  battery: 'Akku',
  percent: (count: number, charging: boolean) => `${count} %${charging ? ', lädt' : ''}`,
  log: 'Wartet auf ihm',
  logOf: (used: number, capacity: number) =>
    `${used.toLocaleString('de-DE')} von ${capacity.toLocaleString('de-DE')}`,
  overflow: 'Abgewiesen',
  deliveries: 'Lieferungen',
  noDeliveries: 'Die Uhr hat noch nichts geliefert.',
  epoch: 'Gestartet',
  startUnknown: 'Uhrzeit unbekannt',
  range: (from: number, to: number) => `${from} bis ${to}`,
  missingOf: (start: string, count: number, numbers: string) =>
    `Start ${start}: ${count === 1 ? '1 Stempel' : `${count.toLocaleString('de-DE')} Stempel`}${numbers === '' ? '' : ` (Nummer ${numbers})`}`,
  received: 'Angekommen',
  missing: 'Fehlen',
  gone: 'Verloren',
  gaps: (count: number) =>
    count === 1 ? 'Ein Stempel fehlt noch.' : `${count.toLocaleString('de-DE')} Stempel fehlen noch.`,
  gapsLead: 'Die Uhr wird bei jedem Kontakt gebeten, sie noch einmal zu senden.',
  lastError: 'Letzter Fehler',

  overviewTitle: 'Uhrenübersicht',
  overviewLead: `Die Uhren einer Firma, ihr Zustand und ihre Version. ${CHANNELS}`,
  overviewEmpty: 'Diese Firma hat keine Uhr.',
  clocksFailed: 'Die Uhren konnten nicht geladen werden.',
  id: 'Uhr',
  updatesTitle: 'Globale Updates',
  updatesLead: `Welche Versionen es gibt, wie sie die Uhren erreichen, und von welchem Kanal jede Uhr ihre Updates bezieht. Ein Rollout verteilt eine Version in Stufen: zuerst an wenige Uhren, dann an immer mehr. ${CHANNELS} Das Update selbst lädt die Uhr herunter.`,
  adminsOnly: 'Nur für Admins.',
  noClocks: 'Es gibt noch keine Uhr.',
  actions: 'Kanal wechseln',
  toStable: 'Auf stable',
  toBeta: 'Auf beta',
  toChannelOf: (channel: string, name: string) => `„${name}“ auf ${channel} setzen`,
  allStable: 'Alle auf stable',
  allBeta: 'Alle auf beta',
  allQuestion: (channel: string) => `Alle Uhren auf ${channel} setzen?`,
  allConsequences: (channel: string, count: number) => [
    count === 1
      ? `Eine Uhr wechselt zu ${channel}.`
      : `${count.toLocaleString('de-DE')} Uhren wechseln zu ${channel}.`,
    'Jede Uhr lädt das Update selbst herunter, sobald es eines gibt.',
  ],
  changed: (count: number) =>
    count === 1 ? 'Eine Uhr hat den Kanal gewechselt.' : `${count} Uhren haben den Kanal gewechselt.`,
  channelSet: (name: string, channel: string) => `„${name}“ bezieht Updates aus ${channel}.`,
  bulkFailed: 'Fehler beim Bulk-Setzen.',
  channelFailed: 'Fehler beim Setzen des Channels.',
  companyTitle: 'Update-Kanal je Firma',
  companyLead: `Setzt alle Uhren einer Firma auf einen Kanal. ${CHANNELS} Das Update selbst lädt die Uhr herunter.`,
  companyHas: (stable: number, beta: number) => `${stable} auf stable, ${beta} auf beta`,
} as const
