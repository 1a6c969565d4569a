import type { Sample } from '../feature'

const OPEN = { open: '09:00', close: '18:00' }

export const answers = {
  'GET /api/companies/c-1/working-hours-config': {
    mode: 'perEmployee',
    uniformWeeklyTargetMinutes: null,
    openingHours: {
      0: OPEN,
      1: OPEN,
      2: OPEN,
      3: OPEN,
      4: { open: '09:00', close: '14:00' },
      5: null,
      6: null,
    },
  },
  'GET /api/companies/c-1/employee-weekly-targets': [
    { userId: 'u-4', username: 'Finn Maurer', role: 'user', weeklyTargetMinutes: 2_310 },
    { userId: 'u-1', username: 'Mia Sommer', role: 'user', weeklyTargetMinutes: 1_200 },
    { userId: 'u-5', username: 'Öznur Çelik', role: 'user', weeklyTargetMinutes: null },
  ],
  'GET /api/companies/c-1/settings': {
    timeZone: 'Europe/Berlin',
    breakPolicy: 'statutory',
    doubleTapSeconds: 60,
    maxShiftHours: 16,
    askAfterHours: 10,
    holidayRegion: 'DE-NI',
    employeesMayDelete: false,
    clockShowsBalance: true,
    rulesFrom: '2026-12-01',
    sickNoteMonths: 12,
    timesYears: 2,
    validFrom: null,
  },
  'GET /api/companies/c-1/free-days': [
    { date: '2026-12-24', name: 'Heiligabend', half: true, legal: false },
    { date: '2026-12-31', name: 'Silvester', half: true, legal: false },
    { date: '2026-05-15', name: 'Brückentag', half: false, legal: false },
    { date: '2026-08-08', name: 'Friedensfest', half: false, legal: true },
  ],
}

export const samples: readonly Sample[] = [
  {
    page: { area: 'company', key: 'hours_config', module: 'hours_config' },
    answers,
    shows: 'Brückentag',
  },
]
