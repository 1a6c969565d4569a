import { spokenDuration } from '../ui/durations'
import type { Answer, Limits } from './view'

export const texts = {
  in: 'Kommen',
  out: 'Gehen',
  hello: (name: string) => `Hallo, ${name}`,
  bye: (name: string) => `Bis bald, ${name}`,
  hint: 'Chip anhalten, fertig.',
  holdNow: (direction: string) => `${direction}: jetzt Chip anhalten`,
  cancel: 'Abbrechen',
  choose: 'Richtung selbst wählen',
  today: 'Heute',
  balance: 'Saldo',
  stored: 'gespeichert · gesendet',
  sending: 'gespeichert · wird gesendet',
  handovers: (count: number) =>
    count === 1 ? '1 Übergabe wartet auf deine Antwort' : `${count} Übergaben warten auf deine Antwort`,
  messages: (count: number) => (count === 1 ? '1 neue Nachricht' : `${count} neue Nachrichten`),

  adopt: 'Scanner',
  scanners: 'Scanner',
  adoptBeside: 'Neue jetzt in die Basis stecken. Stempeln geht weiter.',
  adoptNow: 'Scanner jetzt in die Basis stecken',
  adoptDo: 'Neue Scanner gehören dann zu dieser Uhr. Stempeln geht weiter.',
  adoptLeft: (time: string) => `noch ${time}`,
  adopted: (serials: string[]) =>
    `Aufgenommen: ${serials.map(one => one.replaceAll('-', '\u2011')).join(', ')}`,
  done: 'Fertig',
  more: (page: number, pages: number) => `Weitere (${page} von ${pages})`,
  back: 'Zurück',
  where: 'Wo',
  here: 'in der Basis',
  gone: 'unterwegs',
  away: (moment: string) => `zuletzt hier: ${moment}`,
  battery: 'Akku',
  noBattery: 'ohne',
  charge: (percent: number, charging: boolean) => `${percent}\u00a0%${charging ? ', lädt' : ''}`,
  log: 'Speicher',
  waiting: (count: number) =>
    count === 0 ? 'leer' : count === 1 ? '1 Stempel wartet' : `${count} Stempel warten`,
  waits: (count: number) => (count === 1 ? '1 wartet' : `${count} warten`),
  version: 'Version',
  updating: 'Update läuft',
  newer: {
    waiting: (now: string, newer: string) => `${now}, ${newer} folgt in der Basis`,
    sending: (now: string, newer: string) => `${now}, ${newer} wird übertragen`,
    failed: (now: string, newer: string) => `${now}, ${newer} nicht angenommen`,
  } as Record<string, ((now: string, newer: string) => string) | undefined>,
  forget: 'Vergessen',
  forgetAsk: (name: string) => `${name} vergessen?`,
  forgetEmpty: 'Er gehört dann zu keiner Uhr mehr. Eine Uhr kann ihn neu aufnehmen.',
  forgetFull: 'Auf ihm warten noch Stempel. Die Uhr übernimmt sie zuerst, dann gehört er zu keiner Uhr mehr.',
  forgetAway:
    'Er liegt nicht in der Basis. Stempel, die noch auf ihm sind, fehlen, bis er wieder in dieser Basis liegt. Ist er verloren, sind auch sie verloren.',
  forgetNow: 'Ja, vergessen',
  keep: 'Behalten',
  forgetting: 'Wird vergessen, sobald nichts mehr auf ihm wartet.',

  doubleTap: 'Schon gestempelt',
  at: (time: string) => `um ${time}`,
  doubleTapDo: 'Das zählt einmal. Du musst nichts weiter tun.',
  unknown: 'Diesen Chip kenne ich noch nicht',
  unknownTag: 'Chip-Nummer',
  unknownDo:
    'Nenne diese Nummer deiner Verwaltung. Dein Stempel ist gespeichert und wird gebucht, sobald der Chip dir gehört.',
  notSaved: 'Nicht gespeichert',
  notSavedDo: 'Dieser Stempel zählt nicht. Bitte notiere die Zeit und sag gleich Bescheid.',

  directionQuestion: 'Kommen oder Gehen?',
  openSince: (moment: string) => `Du bist seit ${moment} Uhr eingestempelt.`,
  goneQuestion: 'Wann bist du gegangen?',
  cameToday: (time: string) => `Du bist heute um ${time} gekommen.`,
  cameOn: (day: string, time: string) => `Du bist am ${day}, um ${time} gekommen.`,
  goneOn: (day: string) => `${day}: Da fehlt noch dein Gehen.`,
  dontKnow: 'Weiß ich nicht',
  send: 'Fertig',
  erase: 'Letzte Ziffer löschen',
  enteredTime: 'Eingegebene Uhrzeit',
  noSuchTime: 'Diese Uhrzeit gibt es nicht.',
  requested: 'Danke. Deine Angabe geht als Korrekturantrag an die Verwaltung.',
  tooLate: 'Die Auswahl davor kam zu spät. Sie zählt nicht.',
  answerFailed: 'Das hat nicht geklappt. Bitte noch einmal.',

  online: 'verbunden',
  offline: 'offline',
  offlineQueued: (count: number) => `offline · ${count} gespeichert · wird gesendet`,
  queued: (count: number) => `${count} gespeichert · wird gesendet`,
  notConnected: 'nicht verbunden',
  notConnectedQueued: (count: number) => `nicht verbunden · ${count} gespeichert`,
  timeUncertain: 'Uhrzeit unsicher',
  update: {
    loading: (version: string) => `Version ${version} wird geladen`,
    ready: (version: string) => `Version ${version} ist geladen`,
    trying: (version: string) => `Version ${version} wird erprobt`,
  } as Record<string, ((version: string) => string) | undefined>,

  readerFault: 'Der Leser antwortet nicht',
  readerAbsent: 'Kein Leser angeschlossen',
  readerDo: 'Stempeln geht gerade nicht. Bitte sag Bescheid.',
  storageFailed: 'Die Uhr kann nicht speichern',
  storageDo: 'Stempel zählen gerade nicht. Bitte sag gleich Bescheid.',
  unreadableTag: 'Dieser Chip lässt sich nicht lesen',
  unreadableTagDo: 'Handys und Bankkarten gehen nicht. Nimm bitte deinen Chip.',

  unassigned: 'Diese Uhr gehört noch zu keiner Firma',
  unassignedDo: 'Ordne die Uhr mit diesem Code im Geräteverzeichnis zu.',
  claimCode: 'Code dieser Uhr',
  noClaimCode: 'Der Code erscheint, sobald die Uhr den Server erreicht.',

  starting: 'Gleich geht es weiter',
  startingDo: 'Die Uhr startet. Bitte einen Moment.',
  silent: 'Die Uhr antwortet nicht',
  silentDo: 'Stempeln ist gerade nicht möglich. Bitte sag Bescheid.',

  spokenHead: (name: string | null, title: string, time: string) =>
    `${name === null ? '' : `${name}: `}${title} um ${time} Uhr`,
  plus: 'plus',
  minus: 'minus',
} as const

const ADULT: Limits = { shiftMinutes: 600, restMinutes: 660, night: null }

/**
 * The remarks beneath an answer, by the person's own limits. Two of them are said briefly, so that they find room. A
 * code that this page does not know says nothing.
 */
export function warningsOf({ warnings, limits }: Pick<Answer, 'warnings' | 'limits'>): string[] {
  const remarks = warnings
    .map(code => warningTexts[code]?.(limits ?? ADULT))
    .filter(remark => remark !== undefined)
  return remarks.map(remark => (remarks.length > 1 ? remark.brief : remark.whole))
}

/** One remark, as it stands alone and as it stands beside another. */
interface WarningText {
  whole: string
  brief: string
}

/** What the clock remarks beneath an answer, by the code that the agent gives; it names the hours, never why. */
const warningTexts: Readonly<Record<string, (limits: Limits) => WarningText | undefined>> = {
  over_10_h: ({ shiftMinutes }) => ({
    whole: `Heute sind es mehr als ${hours(shiftMinutes)}.`,
    brief: `Mehr als ${hours(shiftMinutes)}.`,
  }),
  short_rest: ({ restMinutes }) => ({
    whole: `Seit dem letzten Gehen sind es weniger als ${hours(restMinutes)}.`,
    brief: `Weniger als ${hours(restMinutes)} Ruhe.`,
  }),
  night: ({ night }) =>
    night === null
      ? undefined
      : {
          whole: `Von ${hour(night[0])} bis ${hour(night[1])} Uhr sollst du nicht arbeiten.`,
          brief: `Von ${hour(night[0])} bis ${hour(night[1])} Uhr keine Arbeit.`,
        },
}

/** "8 Stunden", "8,5 Stunden", "8 Stunden 20 Minuten". */
const hours = (minutes: number): string =>
  minutes % 60 === 30 ? `${Math.floor(minutes / 60)},5 Stunden` : spokenDuration(minutes)

/** "20" of "20:00", "6" of "06:00", "20:30" as it is. */
const hour = (time: string): string => time.replace(/^0(?=\d)/, '').replace(/:00$/, '')
