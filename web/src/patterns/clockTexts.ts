/** The texts about a device whose clock is wrong. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Units in ascending order; from `most` of them on the next one is used. */
const UNITS = [
  { ms: MINUTE_MS, most: 90, of: (count: number) => `${count} Minuten` },
  { ms: HOUR_MS, most: 36, of: (count: number) => `${count} Stunden` },
  { ms: DAY_MS, most: 60, of: (count: number) => `${count} Tage` },
  { ms: 30.44 * DAY_MS, most: 24, of: (count: number) => `${count} Monate` },
]
const LONGEST = { ms: 365.25 * DAY_MS, of: (count: number) => `${count} Jahre` }

/** "3 Stunden", "etwa 2 Monate". */
function amount(ms: number): string {
  const unit = UNITS.find(({ most, ms: each }) => ms < most * each) ?? LONGEST
  const count = Math.round(ms / unit.ms)
  return (Math.abs(ms - count * unit.ms) < MINUTE_MS ? '' : 'etwa ') + unit.of(count)
}

export const texts = {
  title: (ahead: number) =>
    `Die Uhr dieses Geräts geht ${amount(Math.abs(ahead))} ${ahead > 0 ? 'vor' : 'nach'}.`,
  says: (moment: string) =>
    `Hier siehst du trotzdem die richtige Zeit: Stempelwerk richtet sich nach der Uhr des Servers. Jetzt ist der ${moment}.`,
  mend: 'Stell in den Einstellungen deines Geräts Datum und Uhrzeit auf „automatisch“, dann verschwindet dieser Hinweis.',
} as const
