/**
 * Missing features that public pages mention: the only list. A new feature removes its line, and every page's text
 * adapts; a test compares the list with the existing pages.
 */
const MISSING = [
  // Devices, not modules.
  'hub',
  'mini',
  'beacon',
  'tagger',
  'tempwizard',
  'docks',
] as const

export type Missing = (typeof MISSING)[number]

/** All missing features, under every name in use. */
export const missing: ReadonlySet<string> = new Set(MISSING)

export const IN_THE_MAKING = 'Im Bau'
