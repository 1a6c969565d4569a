import { monthName } from '../../ui/months'

export const texts = {
  times: (month: string) => `Zeiten im ${monthName(month)}`,
  failed: 'Die Zeiten konnten nicht geladen werden.',
  none: 'In diesem Monat ist nichts gestempelt.',
  span: 'Kommen – Gehen',
  breaks: 'Pause',
  net: 'Arbeitszeit',
  hints: 'Hinweise',
  missing: 'fehlt',
  runs: 'läuft',
}
