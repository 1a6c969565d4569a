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
