/** The people of a workshop: one of each kind that the lists know. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type User = components['schemas']['UserRow']

const PEOPLE: readonly User[] = [
  {
    id: 'u-2',
    username: 'Ingrid Holm',
    role: 'companyAdmin',
    tagId: '04A1B2C3D4E5F6',
    isLocked: false,
    secondFactor: 'authenticator',
  },
  {
    id: 'u-1',
    username: 'Mia Sommer',
    role: 'user',
    tagId: '04A1B2C3D4E5F7',
    isLocked: false,
    secondFactor: 'email',
  },
  {
    id: 'u-4',
    username: 'Finn Maurer',
    role: 'user',
    tagId: '04A1B2C3D4E5F8',
    isLocked: true,
    lockToken: '9f2b64c1d07e5a38'.repeat(4),
  },
  {
    id: 'u-5',
    username: 'Öznur Çelik',
    role: 'user',
    tagId: null,
    isLocked: false,
    resetExpiresAt: '2026-11-21T10:10:00.000Z',
  },
  { id: 'u-6', username: 'Wartung', role: 'user', tagId: 'IT', isLocked: false },
  {
    id: 'u-7',
    username: 'Maximiliane Freifrau von Hohenstein-Wittenberge',
    role: 'user',
    tagId: '04A1B2C3D4E5F9',
    isLocked: false,
  },
]

export const PERSON: Readonly<Record<string, unknown>> = {
  'GET /api/users/u-4/account': {
    month: '2026-11',
    targetMinutes: 10_080,
    actualMinutes: 7_330,
    balanceMinutes: -2_270,
    balanceToDateMinutes: 395,
    bookingMinutes: -120,
    bookings: [],
    carriedMinutes: 515,
    targetToDateMinutes: 7_200,
    credits: [{ kind: 'vacation', minutes: 480 }],
    holidays: [],
    days: [],
    vacation: { allowance: 28, carried: 3.5, booked: 0, used: 18, reserved: 2, remaining: 12.5, lapsed: 1 },
  },
  'GET /api/users/u-4/times': [
    {
      id: 'e-1',
      date: '2026-11-19',
      start: '07:58',
      end: '16:34',
      running: false,
      breakMinutes: 30,
      workedMinutesRaw: 516,
      workedMinutesNet: 486,
      source: 'clock',
      flags: [],
      clockName: 'Werkstatt',
    },
    {
      id: 'e-2',
      date: '2026-11-18',
      start: '08:02',
      end: null,
      running: false,
      breakMinutes: null,
      workedMinutesRaw: null,
      workedMinutesNet: null,
      source: 'clock',
      flags: ['missing_out'],
      clockName: 'Werkstatt',
    },
  ],
  'GET /api/users/u-4/employment': {
    personnelNumber: '1004',
    department: 'Werkstatt',
    entryDate: '2024-03-01',
    exitDate: null,
    workdays: [0, 1, 2, 3, 4],
    limits: 'youth',
    accountFrom: '2026-01-01',
    openingBalanceMinutes: 750,
    openingVacationDays: 3.5,
  },
  'GET /api/users/u-4/bookings': [
    {
      id: 'b-1',
      date: '2026-11-13',
      minutes: -120,
      vacationDays: null,
      reason: 'Überstunden ausgezahlt',
      by: 'Ingrid Holm',
      at: '2026-11-13T14:02:00.000Z',
    },
    {
      id: 'b-2',
      date: '2026-06-01',
      minutes: null,
      vacationDays: 0.5,
      reason: 'Sonderurlaub Umzug, halber Tag gutgeschrieben',
      by: 'Ingrid Holm',
      at: '2026-06-01T08:00:00.000Z',
    },
  ],
}

export const COLLEAGUES = PEOPLE.map(each =>
  each.id === 'u-7' ? { ...each, worksCouncil: true as const } : each,
)
export const ofCompany = {
  'GET /api/companies/c-1/users': COLLEAGUES,
  'GET /api/companies/c-1/users?deleted=true': [
    { id: 'u-9', username: 'Rolf Brandt', role: 'user', deletedAt: '2026-11-02T09:00:00.000Z' },
  ],
  'GET /api/companies/c-1/held-stamps': [],
}
export const MODULES = ['manage_employees', 'hours_config'].map(key => ({ id: key, key, label: key }))

const answers = { 'GET /api/companies/c-1/users': PEOPLE }
const search = 'firma=c-1'

const EMPLOYEES = { area: 'company', key: 'manage_employees', module: 'manage_employees' } as const

export const samples: readonly Sample[] = [
  { page: EMPLOYEES, answers: ofCompany, shows: 'Ingrid Holm' },
  { page: { area: 'admin', key: 'logins' }, search, answers, shows: 'Ingrid Holm' },
  { page: { area: 'admin', key: 'passwords' }, search, answers, shows: 'Ingrid Holm' },
]
