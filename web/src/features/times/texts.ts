export const texts = {
  title: 'Meine Zeiten',
  offline:
    'Gezeigt wird, was zuletzt bekannt war. Eine Korrektur kannst du trotzdem beantragen: Sie geht hinaus, sobald es wieder geht.',
  refresh: 'Aktualisieren',
  refreshed: 'Deine Zeiten sind auf dem neuesten Stand.',
  month: (name: string) => `Zeiten im ${name}`,

  clockedIn: 'Eingestempelt',
  since: (time: string) => `seit ${time} Uhr`,
  sinceDay: (day: string, time: string) => `seit ${day}, ${time} Uhr`,
  atClock: (name: string) => `an der Uhr „${name}“`,
  runs: 'läuft',
  open: 'offen',

  net: 'Arbeitszeit',
  raw: 'Anwesenheit',
  breaks: 'Pausenabzug',
  days: 'Arbeitstage',
  sum: 'Monatssumme',
  notCounted: (count: number) =>
    count === 1
      ? '1 unvollständiger Eintrag zählt noch nicht.'
      : `${count} unvollständige Einträge zählen noch nicht.`,

  columnDay: 'Tag',
  columnTime: 'Kommen – Gehen',
  columnBreak: 'Pause',
  columnDeduction: 'Abzug',
  columnRaw: 'Anwesenheit',
  columnNet: 'Arbeitszeit',
  columnHints: 'Hinweise',
  dayTotal: 'Tagessumme',
  entries: (count: number) => `${count} Einträge`,
  allAt: (clock: string) => `Alles gestempelt an der Uhr „${clock}“.`,
  mostAt: (clock: string) => `Gestempelt an der Uhr „${clock}“, wo nichts anderes steht.`,
  toDay: (day: string) => `Zum ${day}`,
  lastKnown: 'zuletzt bekannt',
  printed: (month: string, moment: string) => `Zeiten im ${month}, gedruckt am ${moment}`,

  missing: 'fehlt',
  startMissing: 'Kommen fehlt',
  endMissing: 'Gehen fehlt',
  from: 'Kommen',
  to: 'Gehen',
  otherDay: (days: number) =>
    days === 1
      ? 'am Folgetag'
      : days === -1
        ? 'am Vortag'
        : days > 0
          ? `${days} Tage später`
          : `${-days} Tage vorher`,
  otherDayMark: (days: number) => (days > 0 ? `+${days}` : `−${-days}`),
  noMinutes: '–',
  why: 'Warum?',

  fromClock: 'Gestempelt',
  stampedAt: 'Gestempelt an der Uhr',
  fromCorrection: 'Korrektur',

  empty: (month: string) => `Im ${month} hast du noch nicht gestempelt.`,
  emptyPast: (month: string) => `Im ${month} hast du nicht gestempelt.`,
  emptyFuture: (month: string) => `Der ${month} liegt noch vor dir.`,
  lookAgain: 'Noch einmal nachsehen',
  toThisMonth: 'Zum aktuellen Monat',

  failed: 'Deine Zeiten konnten nicht geladen werden.',
  failedAgain: 'Das Aktualisieren hat nicht geklappt.',
  notStored: 'Dieser Monat ist auf diesem Gerät noch nicht gespeichert.',
} as const

export const flagTexts = {
  missing_in: {
    label: 'Kommen fehlt',
    explanation:
      'Zu diesem Gehen gibt es kein Kommen. Der Eintrag zählt erst, wenn die Zeit nachgetragen ist – am besten gleich.',
  },
  missing_out: {
    label: 'Gehen fehlt',
    explanation:
      'Zu diesem Kommen gibt es kein Gehen. Der Eintrag zählt erst, wenn die Zeit nachgetragen ist – am besten gleich.',
  },
  long_entry: {
    label: 'Ungewöhnlich lang',
    explanation:
      'Zwischen Kommen und Gehen liegt sehr viel Zeit. Bitte prüfe, ob dazwischen ein Stempel vergessen wurde.',
  },
  uncertain_time: {
    label: 'Uhrzeit unsicher',
    explanation:
      'Die Uhr kannte die genaue Zeit nicht. Der Eintrag gilt vorläufig, bis jemand die Zeit bestätigt.',
  },
  over_10_h: {
    label: 'Über 10\u00a0Stunden',
    explanation: 'In dieser Schicht sind es mehr als 10\u00a0Stunden Arbeitszeit (§ 3 Arbeitszeitgesetz).',
  },
  short_rest: {
    label: 'Kurze Ruhezeit',
    explanation:
      'Zwischen der vorigen Schicht und dieser liegen weniger als 11\u00a0Stunden (§ 5 Arbeitszeitgesetz).',
  },
  missing_break: {
    label: 'Pause fehlt',
    explanation: 'Für diese Schicht ist eine längere Pause vorgeschrieben (§ 4 Arbeitszeitgesetz).',
  },
  overlap: {
    label: 'Überschneidung',
    explanation: 'Dieser Eintrag überschneidet sich mit einem anderen. Die gemeinsame Zeit zählt nur einmal.',
  },
  shown_differs: {
    label: 'Anders angezeigt',
    explanation:
      'Die Uhr hat etwas anderes angezeigt, weil ihr noch Stempel fehlten. Es gilt, was hier steht.',
  },
  worked_on_leave: {
    label: 'Trotz Abwesenheit',
    explanation:
      'An diesem Tag warst du krankgemeldet oder im Urlaub. Stimmt das nicht, sprich bitte mit deiner Verwaltung.',
  },
  late: {
    label: 'Nachgereicht',
    explanation: 'Dieser Eintrag kam an, nachdem der Monat schon abgerechnet war.',
  },
} as const

export const unknownFlag = {
  label: 'Hinweis',
  explanation: 'Diesen Hinweis kennt diese Version noch nicht. Bitte lade die Seite neu.',
} as const

/** One sentence for each deduction; `label` stands where its figure is pressed. */
export const deductionTexts = (minutes: number) => ({
  label: `§\u00a04 ArbZG: ${minutes}\u00a0min Pause`,
  explanation: `Für so viel Arbeitszeit ist eine Pause vorgeschrieben, die nicht gestempelt wurde. Deshalb sind ${minutes}\u00a0Minuten abgezogen. War es anders, beantrage eine Korrektur.`,
})

/** Of a corrected entry the break may have been decided by somebody. */
export const deductionDecided = (minutes: number) => ({
  label: `${minutes}\u00a0min Pause`,
  explanation: `Von diesem korrigierten Eintrag sind ${minutes}\u00a0Minuten Pause abgezogen, nach §\u00a04 ArbZG oder wie sie entschieden wurden.`,
})
