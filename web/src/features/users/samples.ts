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

const answers = { 'GET /api/companies/c-1/users': PEOPLE }
const search = 'firma=c-1'

export const samples: readonly Sample[] = [
  { page: { area: 'admin', key: 'logins' }, search, answers, shows: 'Ingrid Holm' },
  { page: { area: 'admin', key: 'passwords' }, search, answers, shows: 'Ingrid Holm' },
]
