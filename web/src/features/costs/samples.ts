/** A November in a workshop: rates of each, one of which has become too low, and one who has none. */
import type { Sample } from '../feature'
import type { Config, Item, MonthCosts, YearMonth } from './useCosts'

export const item = (userId: string, username: string, more: Partial<Item> = {}): Item => ({
  userId,
  username,
  type: 'hourly',
  rawMinutes: 9_960,
  breakMinutes: 360,
  minutes: 9_600,
  hours: 160,
  rateCents: 1_850,
  costCents: 296_000,
  missingRate: false,
  underMinimumWage: false,
  partMonth: false,
  nightHours: 0,
  sundayHours: 0,
  holidayHours: 0,
  ...more,
})

export const config: Config = {
  mode: 'perUserHourly',
  defaultHourlyCents: 1_500,
  departmentRates: { Werkstatt: 1_850 },
  userDepartments: { 'u-1': 'Werkstatt', 'u-4': 'Lager', 'u-5': null },
  userHourlyCents: { 'u-1': 1_850, 'u-4': 1_282 },
  userMonthlyCents: { 'u-5': 310_000 },
  minimumWageCents: 1_390,
}

export const month: MonthCosts = {
  month: '2026-11',
  mode: 'perUserHourly',
  draft: true,
  items: [
    item('u-1', 'Mia Sommer', { hours: 152.5, costCents: 282_125, nightHours: 12.25, sundayHours: 4 }),
    item('u-4', 'Finn Maurer', { hours: 80, rateCents: 1_282, costCents: 102_560, underMinimumWage: true }),
    item('u-5', 'Öznur Çelik', {
      type: 'monthly',
      rateCents: 310_000,
      costCents: 310_000,
      partMonth: true,
      holidayHours: 7.75,
    }),
    item('u-7', 'Maximiliane Freifrau von Hohenstein-Wittenberge', {
      hours: 12,
      rateCents: 0,
      costCents: 0,
      missingRate: true,
    }),
  ],
  totalCents: 694_685,
}

const TOTALS = [612, 588, 701, 640, 655, 690, 720, 610, 702, 699, 694.685, 310]
export const year: YearMonth[] = TOTALS.map((total, index) => ({
  month: `2026-${String(index + 1).padStart(2, '0')}`,
  totalCents: Math.round(total * 1_000),
  draft: index >= 10,
}))

const COSTS = 'GET /api/companies/c-1/compensation-costs'
export const answers = {
  'GET /api/companies/c-1/compensation-config': config,
  [COSTS]: month,
  [`${COSTS}?year=2026`]: year,
  'GET /api/companies/c-1/users': [
    { id: 'u-4', username: 'Finn Maurer', role: 'user' },
    { id: 'u-1', username: 'Mia Sommer', role: 'user' },
    { id: 'u-5', username: 'Öznur Çelik', role: 'user' },
  ],
}

export const samples: readonly Sample[] = [
  { page: { area: 'company', key: 'costs', module: 'costs' }, answers, shows: 'Finn Maurer' },
]
