/** Durations over time: a month by day with leave and a holiday, a year with its balances, an empty one. */
import { type Bar, Bars } from '../../ui/Bars'
import { addDays, dayInMonth, shortDay } from '../../ui/days'
import type { Specimen } from '../specimen'

export const title = 'Balken'

const DAYS = Array.from({ length: 30 }, (_, index) => addDays('2026-11-01', index))
const isFree = (day: string) => ['Sa', 'So'].includes(shortDay(day).weekday)

const day = (date: string, place: number): Bar => {
  const free = isFree(date)
  const away = ['2026-11-12', '2026-11-13'].includes(date)
  const past = date <= '2026-11-20'
  return {
    key: date,
    label: String(place + 1),
    always: place === 0 || (place + 1) % 5 === 0,
    name: dayInMonth(date),
    actual: free || away || !past ? 0 : 420 + ((place * 37) % 130),
    credit: away ? 480 : 0,
    target: free ? 0 : 480,
    now: date === '2026-11-20',
    quiet: free,
    remark: away ? 'Urlaub' : undefined,
  }
}

const MONTHS = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez']
const NOTES = ['+3h 10m', '−1h 05m', '+12h 35m', '+0h 00m', '−8h 20m', '+2h 15m', '+4h 45m', '+1h 30m']

const month = (label: string, place: number): Bar => ({
  key: label,
  label,
  short: label.slice(0, 1),
  name: `${label} 2026`,
  actual: place < 8 ? 8_400 + ((place * 311) % 1_100) : 0,
  credit: place === 3 || place === 6 ? 1_920 : 0,
  target: 9_600,
  now: place === 7,
  note: NOTES[place] ?? '–',
})

const WORDS = { actual: 'Ist', credit: 'Gutschrift', target: 'Soll' }

const renderBars = (caption: string, bars: readonly Bar[], words: { each: string; note?: string }) => () => (
  <Bars caption={caption} bars={bars} words={{ ...WORDS, ...words }} />
)

export const specimens: readonly Specimen[] = [
  { name: 'Ein Monat', render: renderBars('November 2026', DAYS.map(day), { each: 'Tag' }) },
  { name: 'Ein Jahr', render: renderBars('2026', MONTHS.map(month), { each: 'Monat', note: 'Saldo' }) },
  {
    name: 'Noch nichts',
    render: renderBars(
      'Dezember 2026',
      DAYS.map((date, index) => ({ ...day(date, index), actual: 0, credit: 0, target: 0, now: false })),
      { each: 'Tag' },
    ),
  },
]
