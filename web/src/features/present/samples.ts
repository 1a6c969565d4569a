/** A morning in a workshop: most have come, one is late, one came without a plan, one comes in the afternoon. */
import type { components } from '../../api/schema'
import type { Sample } from '../feature'

type Expected = components['schemas']['ExpectedPerson']

const planned = (
  userId: string,
  username: string,
  clockedIn: boolean | null,
  start: string,
  end: string | null,
) => ({ userId, username, clockedIn, start, end }) satisfies Expected

const attendance: components['schemas']['DayAttendance'] = {
  expected: [
    planned('u-1', 'Mia Sommer', true, '07:58', null),
    planned('u-5', 'Öznur Çelik', true, '06:55', '10:10'),
    planned('u-7', 'Maximiliane Freifrau von Hohenstein-Wittenberge', true, '08:01', null),
    planned('u-4', 'Finn Maurer', false, '08:00', '16:30'),
    planned('u-8', 'Jonas Brandt', null, '14:00', '22:00'),
  ],
  unexpected: [{ userId: 'u-9', username: 'Tarik Aydın', start: '09:12', end: null }],
}

const answers = { 'GET /api/companies/c-1/attendance': attendance }

export const samples: readonly Sample[] = [
  { page: { area: 'council', key: 'present' }, answers, shows: 'Finn Maurer' },
  { page: { area: 'company', key: 'present', module: 'present' }, answers, shows: 'Finn Maurer' },
]
