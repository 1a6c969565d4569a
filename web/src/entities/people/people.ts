/** Rules of the administrators' pages about people: protection, lists, search. */

import type { components } from '../../api/schema'
import { normaliseTag } from '../../api/tags'
import { texts } from './texts'

export type User = components['schemas']['UserRow']
export type Role = NonNullable<User['role']>

const FOUNDER = 'FOUNDER'
const PROTECTED = [FOUNDER, 'IT']

/** The word for a protected person, or null. Tags cannot contain it. */
export function protection(user: User): string | null {
  const tag = user.tagId?.toUpperCase() ?? ''
  return PROTECTED.includes(tag) ? tag : null
}

/** Whether the person `userId` among these is a founder; only founders grant the role of a system administrator. */
export function isFounder(users: readonly User[], userId: string): boolean {
  const self = users.find(user => user.id === userId)
  return self !== undefined && protection(self) === FOUNDER
}

export function roleName(user: User): string {
  return texts.roles[user.role ?? 'user']
}

export interface Groups {
  admins: User[]
  companyAdmins: User[]
  employees: User[]
}

export function groupsOf(users: readonly User[]): Groups {
  return {
    admins: users.filter(user => user.role === 'admin'),
    companyAdmins: users.filter(user => user.role === 'companyAdmin'),
    employees: users.filter(user => user.role !== 'admin' && user.role !== 'companyAdmin'),
  }
}

/** Whether the name or the tag contains the words. */
export function matches(user: User, words: string): boolean {
  const needle = words.trim().toLocaleLowerCase('de')
  const tag = needle.replace(/[\s:-]/g, '')
  return (
    user.username.toLocaleLowerCase('de').includes(needle) ||
    (tag !== '' && (user.tagId ?? '').toLocaleLowerCase('de').includes(tag))
  )
}

/** The service rejects such a number as rounded by a spreadsheet, unless separators show that it was typed. */
const LOOKS_ROUNDED = /^\d{17}000$/

/** A tag in its stored form; an invalid tag stays as typed, without its blanks. */
export function tidyTag(text: string): string {
  const normal = normaliseTag(text)
  const stays = 'refused' in normal || LOOKS_ROUNDED.test(normal.tag)
  return stays ? text.replace(/\s/g, '').toUpperCase() : normal.tag
}
