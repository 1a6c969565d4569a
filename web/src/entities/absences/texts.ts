const count = (days: number) => days.toLocaleString('de-DE').replace('-', '−')
const daysOf = (days: number) => `${count(days)}\u00a0${days === 1 ? 'Tag' : 'Tage'}`

export const texts = {
  daysOf,
  restAfter: (year: number) => `Danach übrig ${year}`,
  over: (days: number) => `Das ${days === 1 ? 'ist' : 'sind'} ${daysOf(days)} mehr, als übrig sind.`,
  overlaps: 'Im Zeitraum liegt bereits ein anderer offener oder genehmigter Antrag.',
  onDuty: (name: string, spans: readonly string[]) => `${name} ist eingeteilt: ${spans.join(', ')}.`,
} as const
