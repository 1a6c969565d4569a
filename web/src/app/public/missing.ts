/**
 * What public pages speak of and is not there yet: the one list. What comes takes its line away, and what each page says
 * of it changes by itself; a test holds the list to the pages that there are.
 */
const MISSING = [
  // No modules of the service, but things.
  'hub',
  'mini',
  'beacon',
  'tagger',
  'tempwizard',
  'docks',
] as const

export type Missing = (typeof MISSING)[number]

/** All that is missing, also what is looked for by a name from elsewhere. */
export const missing: ReadonlySet<string> = new Set(MISSING)

export const IN_THE_MAKING = 'Im Bau'
