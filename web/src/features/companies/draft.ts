/** What somebody has ticked and not saved yet: only the differences, so that a newer answer is not overwritten by it. */

/** The ids that are to change sides. */
export type Draft = ReadonlySet<string>

export const NOTHING: Draft = new Set()

export function toggled(draft: Draft, id: string): Draft {
  const next = new Set(draft)
  if (!next.delete(id)) next.add(id)
  return next
}

export function isOn(own: ReadonlySet<string>, draft: Draft, id: string): boolean {
  return own.has(id) !== draft.has(id)
}

/** The draft by which all of `all` are on, or none. */
export function allTo(on: boolean, all: readonly string[], own: ReadonlySet<string>): Draft {
  return new Set(all.filter(id => own.has(id) !== on))
}

export function outcome(all: readonly string[], own: ReadonlySet<string>, draft: Draft): string[] {
  return all.filter(id => isOn(own, draft, id))
}
