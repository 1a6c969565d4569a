import { dayCount } from '../../ui/dayCount'

export const texts = {
  daysOf: dayCount,
  restAfter: (year: number) => `Danach übrig ${year}`,
  closed: 'Betriebsferien',
  closedDays: (days: string) => `${days}, schon als Urlaub eingetragen`,
  over: (days: number) => `Das ${days === 1 ? 'ist' : 'sind'} ${dayCount(days)} mehr, als übrig sind.`,
  overlaps: 'Im Zeitraum liegt bereits ein anderer offener oder genehmigter Antrag.',
  onDuty: (name: string, spans: readonly string[]) => `${name} ist eingeteilt: ${spans.join(', ')}.`,
} as const
