import { dayCount } from '../../ui/dayCount'
import { formatter, longDay } from '../../ui/days'
import { spanOfDays, spansOfDays, writtenDay } from '../../ui/writtenDays'

const NUMBER = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 })

/** "12,5", "−2" */
const number = (count: number) => NUMBER.format(count).replace('-', '−')

/** After "von", "mit". */
const ofDays = (count: number) => `${number(count)}\u00a0${count === 1 ? 'Tag' : 'Tagen'}`

/** "3. Oktober" */
const shortDate = (day: string) =>
  formatter({ day: 'numeric', month: 'long', timeZone: 'UTC' })
    .format(new Date(`${day}T00:00:00Z`))
    .replace(' ', '\u00a0')

export const texts = {
  title: 'Meine Abwesenheiten',
  offline:
    'Gezeigt wird, was zuletzt bekannt war. Anträge, Krankmeldungen und Nachrichten kannst du trotzdem absenden: Sie gehen hinaus, sobald er wieder antwortet.',
  days: dayCount,
  /** "3.–5. August 2026"; of a single day with its weekday. */
  span: (start: string, end: string) => (start === end ? longDay(start) : spanOfDays(start, end)),

  /** "20. November 2026" */
  date: writtenDay,

  ask: 'Urlaub oder Wunschfrei beantragen',
  reportSick: 'Krank melden',

  account: (year: number) => `Urlaub ${year}`,
  accountTitle: 'Urlaub',
  remaining: 'Noch',
  remainingOf: (total: number) => `von ${ofDays(total)}`,
  left: number,
  used: 'Genehmigt',
  reserved: 'Beantragt',
  allowance: 'Jahresurlaub',
  carried: 'Aus dem Vorjahr',
  booked: 'Gutschriften und Abzüge',
  lapsed: 'Verfallen',
  disabled: 'Urlaub ist derzeit deaktiviert.',
  wishesStill: 'Wunschfrei kannst du trotzdem beantragen.',
  policyFailed: 'Policy konnte nicht geladen werden.',

  requests: 'Deine Anträge',
  requestsFailed: 'Anträge konnten nicht geladen werden.',
  requestsNotStored: 'Deine Anträge sind auf diesem Gerät noch nicht gespeichert.',
  noRequests: 'Du hast noch keinen Antrag gestellt.',
  askFirst: 'Ersten Antrag stellen',
  older: (count: number) => (count === 1 ? '1 älteren Antrag anzeigen' : `${count} ältere Anträge anzeigen`),
  kinds: { vacation: 'Urlaub', wish: 'Wunschfrei' },
  statuses: {
    pending: 'Offen',
    approved: 'Genehmigt',
    declined: 'Abgelehnt',
    cancelled: 'Storniert',
    cancelRequested: 'Stornierung gewünscht',
  },
  noCost: 'kostet keine Urlaubstage',
  returned: (count: number) => `${dayCount(count)} zurück wegen Krankheit`,
  startHalf: 'erster Tag ab mittags',
  endHalf: 'letzter Tag bis mittags',
  afternoon: 'nur nachmittags',
  morning: 'nur vormittags',
  askedAt: (moment: string) => `beantragt am ${moment}`,
  decidedAt: (moment: string) => `entschieden am ${moment}`,
  reasonSaid: 'Grund:',
  commentSaid: 'Anmerkung der Verwaltung:',
  withdraw: 'Zurückziehen',
  cancel: 'Stornierung wünschen',
  withdrawTitle: 'Antrag zurückziehen?',
  withdrawQuestion: (what: string) =>
    `${what}: Über den Antrag wird dann nicht mehr entschieden. Einen neuen kannst du jederzeit stellen.`,
  withdrawn: 'Antrag zurückgezogen.',
  withdrawFailed: 'Zurückziehen fehlgeschlagen.',

  kind: 'Was möchtest du beantragen?',
  kindHints: {
    vacation: 'Bezahlt; kostet Urlaubstage.',
    wish: 'Nicht eingeteilt werden; kostet nichts.',
  },
  start: 'Erster Tag',
  end: 'Letzter Tag',
  halves: 'Halbe Tage',
  startHalfTick: 'Erster Tag erst ab mittags',
  endHalfTick: 'Letzter Tag nur bis mittags',
  afternoonTick: 'Nur nachmittags',
  morningTick: 'Nur vormittags',
  reason: 'Grund (freiwillig)',
  send: 'Antrag einreichen',
  requested: 'Antrag eingereicht.',
  requestFailed: 'Antrag fehlgeschlagen.',
  onDuty: (dates: readonly string[]) =>
    `Du bist eingeteilt: ${spansOfDays(dates).join(', ')}. Deine Verwaltung sieht das beim Entscheiden.`,
  chooseStart: 'Bitte den ersten Tag wählen.',
  chooseEnd: 'Bitte den letzten Tag wählen.',
  endBeforeStart: 'Das Ende liegt vor dem Anfang.',
  bothHalves: 'An einem einzelnen Tag kann nur eine Hälfte gewählt werden.',

  preview: 'Vorschau',
  previewLead: 'Dein Antrag',
  previewEmpty: 'Wähle Anfang und Ende, dann steht hier, was dein Antrag kostet.',
  previewOffline: 'Vorschau erst mit Verbindung',
  previewComing: 'Wird berechnet …',
  previewFailed: 'Die Vorschau konnte nicht geladen werden. Einreichen kannst du trotzdem.',
  costs: (count: number) => `kostet ${dayCount(count)}`,
  saves: (holidays: readonly { name: string; date: string }[]) =>
    `spart: ${holidays.map(({ name, date }) => `${name} (${shortDate(date)})`).join(', ')}`,
  closedDays: (days: string) =>
    `Betriebsferien sind darin schon enthalten und kosten nicht noch einmal: ${days}.`,
  without: (days: string) => `ohne ${days}`,
  remainingAfter: (left: number) => `danach noch ${dayCount(left)}`,
  remainingAfterEach: (left: number) => `danach in jedem der Jahre noch mindestens ${dayCount(left)}`,
  othersReserved: (count: number) => `${dayCount(count)} sind außerdem schon beantragt und noch offen.`,
  over: (more: number) =>
    `${more === 1 ? 'Das ist' : 'Das sind'} ${dayCount(more)} mehr, als du hast. Deine Verwaltung entscheidet.`,
  overTogether: (more: number) =>
    `Mit deinen offenen Anträgen ${more === 1 ? 'ist' : 'sind'} das ${dayCount(more)} mehr, als du hast. Deine Verwaltung entscheidet.`,
  overlaps: 'Im Zeitraum liegt bereits ein offener oder genehmigter Antrag.',

  absences: 'Krank und gefehlt',
  absencesIn: (month: string) => `Abwesenheiten im ${month}`,
  absencesFailed: 'Abwesenheiten konnten nicht geladen werden.',
  absencesNotStored: 'Dieser Monat ist auf diesem Gerät noch nicht gespeichert.',
  none: (month: string) => `Im ${month} gibt es keine Abwesenheit.`,
  toThisMonth: 'Zum aktuellen Monat',
  absenceKinds: { sick: 'Krank', missing: 'Gefehlt', special: 'Abwesend' },
  absenceStatuses: { open: 'Offen', excused: 'Entschuldigt', declined: 'Abgelehnt', cancelled: 'Storniert' },
  missingExplained:
    'Du warst eingeteilt, es gibt aber keinen Stempel. Warst du krank, melde dich krank; sonst schreib der Verwaltung, was war.',
  yourMessage: 'Deine Nachricht:',
  certified: 'Deine Firma hat die Krankschreibung bei der Krankenkasse abgerufen (eAU).',

  sickTitle: 'Krank melden',
  sickLead: 'Deine Verwaltung erfährt, von wann bis wann du ausfällst. Warum, fragt dich hier niemand.',
  sickStart: 'Krank ab',
  sickEnd: 'Bis voraussichtlich',
  eau: 'Bist du gesetzlich versichert, meldet deine Arztpraxis die Krankschreibung elektronisch an die Krankenkasse (eAU), und deine Firma ruft sie dort ab. Du brauchst dann meist nichts hochzuladen.',
  reported: 'Du bist krankgemeldet.',
  reportFailed: 'Krankmelden fehlgeschlagen.',
  reportedLead: (span: string) => `${span}. Gute Besserung.`,
  later: 'Eine Bescheinigung kannst du jetzt oder später an dieser Abwesenheit hochladen.',

  upload: 'Krankmeldung hochladen',
  uploadAnew: 'Krankmeldung ersetzen',
  replaces: 'Sie ersetzt die Krankmeldung, die schon vorliegt.',
  chooseFile: 'Datei auswählen',
  otherFile: 'Andere Datei auswählen',
  accepted: 'Foto (JPG, PNG oder WebP) oder PDF, höchstens 10\u00a0MB und 20\u00a0Seiten.',
  redrawn:
    'Gespeichert wird, was die Seiten zeigen, als Bild: Text in einer PDF-Datei lässt sich danach nicht mehr markieren oder durchsuchen.',
  readers:
    'Lesen können sie nur du und die Verwaltung deiner Firma, nicht der Betreiber der Plattform. Gelöscht wird sie 12\u00a0Monate nach der Entscheidung, wenn deine Firma nichts anderes festlegt.',
  size: (bytes: number) =>
    bytes < 1_000_000
      ? `${Math.max(1, Math.round(bytes / 1_000))}\u00a0kB`
      : `${number(bytes / 1_000_000)}\u00a0MB`,
  sendFile: 'Hochladen',
  fileMissing: 'Bitte eine Datei auswählen.',
  fileTooLarge: 'Die Datei ist zu groß (höchstens 10\u00a0MB).',
  fileEmpty: 'Die Datei ist leer.',
  fileUnsupported: 'Bitte ein Bild (JPG, PNG oder WebP) oder eine PDF-Datei hochladen.',
  uploadNeedsNetwork: 'Hochladen geht erst mit Verbindung.',
  uploading: 'Wird hochgeladen …',
  checking: 'Wird geprüft …',
  uploaded: 'Krankmeldung hochgeladen.',
  uploadFailed: 'Upload fehlgeschlagen.',
  lookAtIt:
    'Deine Krankmeldung ist da. Sieh bitte nach, ob alles zu lesen ist: Was sich in einer PDF-Datei nicht zeichnen ließ, fehlt. Dann lade sie als Foto noch einmal hoch.',
  uploadOther: 'Andere Datei hochladen',
  stop: 'Upload abbrechen',

  view: 'Krankmeldung ansehen',
  viewing: 'Krankmeldung wird geladen …',
  stopViewing: 'Laden abbrechen',
  viewFailed: 'Krankmeldung konnte nicht geladen werden.',
  openNote: 'Krankmeldung öffnen',
  noteReady: 'Die Krankmeldung ist geladen. Dein Browser wollte sie nicht von selbst öffnen.',
  noteName: (day: string) => `krankmeldung-${day}`,

  message: 'Nachricht an die Verwaltung',
  messageAnew: 'Nachricht ändern',
  messageLead: 'Sie steht bei dieser Abwesenheit, bis darüber entschieden ist.',
  messageReplaces: 'Sie ersetzt deine frühere Nachricht.',
  messageText: 'Nachricht',
  messageExample: 'z. B. Ich hatte mit Jan getauscht.',
  messageSend: 'Nachricht senden',
  messageSent: 'Nachricht gesendet.',
  messageFailed: 'Senden fehlgeschlagen.',

  actOf: (act: string, when: string) => `${act}: ${when}`,
  unsentRequest: (kind: 'vacation' | 'wish', span: string) =>
    `${kind === 'wish' ? 'Wunschfrei' : 'Urlaub'}, ${span}`,
  unsentSick: (span: string) => `Krankmeldung, ${span}`,
  unsentMessage: 'Nachricht an die Verwaltung',
} as const
