/** People, companies and answers for the specimens. */
import type { User } from '../entities/people/people'
import type { Acting } from '../patterns/useAct'

export const PEOPLE: readonly User[] = [
  { id: 'u-1', username: 'Ingrid Holm', role: 'companyAdmin', tagId: '04A1B2C3D4E5F6' },
  { id: 'u-2', username: 'Öznur Çelik', role: 'user', tagId: null },
  { id: 'u-3', username: 'Finn Maurer', role: 'user', tagId: '04A1B2C3D4E5F8', isLocked: true },
  {
    id: 'u-4',
    username: 'Maximiliane-Charlotte von Hohenstein-Schlüterburg',
    role: 'user',
    tagId: '04A1B2C3D4E5F7',
  },
  { id: 'u-5', username: 'Wartung', role: 'admin', tagId: 'IT' },
]

export const COMPANIES = [
  { id: 'c-1', name: 'Tischlerei Holm' },
  { id: 'c-2', name: 'Malerei Brandt' },
]

type Answering = Partial<Acting<unknown, object>>

/** A mutation with a given state; it does nothing. */
export const acting = (answer: Answering = {}): Acting<unknown, object> => ({
  run: async () => null,
  busy: false,
  failure: null,
  fields: {},
  reset: () => {},
  ...answer,
})
