/**
 * A feature's declaration in its `feature.ts`: its pages, and its words for the audit log. `app/features.ts` lists the
 * features and knows nothing else about them.
 */
import type { ComponentType } from 'react'
import type { Session } from '../api/session'

export interface Feature {
  pages?: readonly Page[]
  /** Fetched when the log is opened. */
  auditWords?: () => Promise<AuditWords>
}

export interface Page {
  /**
   * The role whose menu has it: the employee's, with the works council's below, the company's, the system
   * administrator's.
   */
  area: 'employee' | 'council' | 'company' | 'admin'
  /** Its name in the address: `?tab=`. */
  key: string
  label: string
  /** The label on the phone's bar. */
  short: string
  icon: ComponentType<{ size?: number }>
  /** Whether it is in "Mehr" even if the bar has room. */
  aside?: boolean
  /** The key of its module; without one it always shows. */
  module?: string
  /** Whether it is for people who stamp: in an administrator's menu only if they have a tag. */
  stamping?: boolean
  /**
   * Whether it works without Mantine and its provider: for pages that must load fast: employees' pages, and the first
   * page of administrators.
   */
  bare?: boolean
  /** The number of waiting items, and as words: "2 offene Übergaben". A hook; 0 shows nothing. */
  useWaiting?: (session: Session) => Waiting
  /** Fetched on navigation. */
  load: () => Promise<ComponentType<PageProps>>
}

export interface Waiting {
  count: number
  words: string
}

export interface PageProps {
  session: Session
}

/** A feature's words for its audit actions. Without words an action shows as stored. */
export interface AuditWords {
  /** A filter's label by the action's prefix before the dot. */
  groups?: Readonly<Record<string, string>>
  actions?: Readonly<Record<string, ActionWords>>
  /** Labels of the members of `before` and `after`. */
  members?: Readonly<Record<string, string>>
  /** Labels of values, by member. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface ActionWords {
  /** The filter's label. */
  kind: string
  /** The sentence; `name` is the subject's name. */
  sentence: (name: string, after: Readonly<Record<string, unknown>> | null) => string
  /** The sentence for a deleted subject. */
  nameless?: string
}

/** A page with content, in its `samples.ts`: the browser tests render it in every size and both colour schemes. */
export interface Sample {
  page: Pick<Page, 'area' | 'key' | 'module'>
  /** Further parameters of its address, such as its company: `firma=c-1`. */
  search?: string
  /**
   * The service's answers by method and path, with the query where it matters. The person is `u-1` of the company
   * `c-1`; the system administrator is `u-3` of the operator's company `c-0`.
   */
  answers: Readonly<Record<string, unknown>>
  /** A text that is visible once everything has loaded. */
  shows: string
}
