/**
 * What a feature declares of itself, in its `feature.ts`: its pages, and its words for the audit log.
 * `app/features.ts` lists the features and knows nothing else of them.
 */
import type { ComponentType } from 'react'
import type { Session } from '../api/session'

export interface Feature {
  pages?: readonly Page[]
  /** Fetched when somebody reads the log. */
  auditWords?: () => Promise<AuditWords>
}

export interface Page {
  /** Whose menu it stands in: the employee's, below it the works council's, the company's, the system administrator's. */
  area: 'employee' | 'council' | 'company' | 'admin'
  /** What names it in the address: `?tab=`. */
  key: string
  label: string
  /** The word on the phone's bar. */
  short: string
  icon: ComponentType<{ size?: number }>
  /** Whether it stands behind "Mehr" even where the bar has a place. */
  aside?: boolean
  /** The module, by its key, that a company must have for it; without one it always shows. */
  module?: string
  /** Whether it is for who stamps: in an administrator's menu only with a tag of their own. */
  stamping?: boolean
  /** Whether it does without Mantine's parts, and so without what is around them: for who is in a hurry: employees,
   * and administrators on the page that they open with. */
  bare?: boolean
  /** How many things wait there for an answer, and as words: "2 offene Übergaben". A hook; 0 shows nothing. */
  useWaiting?: (session: Session) => Waiting
  /** Fetched when somebody goes there. */
  load: () => Promise<ComponentType<PageProps>>
}

export interface Waiting {
  count: number
  words: string
}

export interface PageProps {
  session: Session
}

/** How the audit log speaks of what a room decides. What no feature has a word for shows as it is stored. */
export interface AuditWords {
  /** By the word before an action's dot: what a filter calls all actions that begin with it. */
  groups?: Readonly<Record<string, string>>
  actions?: Readonly<Record<string, ActionWords>>
  /** By the member of `before` and `after`: its name. */
  members?: Readonly<Record<string, string>>
  /** By the member: what its values are called. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface ActionWords {
  /** What a filter calls it. */
  kind: string
  /** What happened; `name` is whom or what it concerns. */
  sentence: (name: string, after: Readonly<Record<string, unknown>> | null) => string
  /** What happened to something that nobody knows any more. */
  nameless?: string
}

/** A page with something on it, in its `samples.ts`: what the browser's tests look at, in every size and both colours. */
export interface Sample {
  page: Pick<Page, 'area' | 'key' | 'module'>
  /** What else stands in its address, such as the company that it is about: `firma=c-1`. */
  search?: string
  /**
   * By method and path, and the query where it matters: what the service answers. The person is `u-1` of the company `c-1`; the system administrator is
   * `u-3` of the operator's company `c-0`.
   */
  answers: Readonly<Record<string, unknown>>
  /** What can be read once everything is there. */
  shows: string
}
