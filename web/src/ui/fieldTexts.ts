/** The words of fields, which most pages do without. */
export const texts = {
  previousDecade: 'Frühere Jahre',
  nextDecade: 'Spätere Jahre',
  dayPattern: 'TT.MM.JJJJ',
  clearDay: 'Tag löschen',
  noSuchDay: 'Diesen Tag gibt es nicht.',
  halfTime: 'Bitte Stunden und Minuten angeben.',
  dayOf: (what: string) => `${what}: Tag`,
  timeOf: (what: string) => `${what}: Uhrzeit`,
  hours: 'Stunden',
  minutes: 'Minuten',
  nothingFound: 'Nichts gefunden.',
} as const
