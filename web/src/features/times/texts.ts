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
