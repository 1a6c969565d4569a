/** What somebody has ticked and not saved yet: what is meant, so that a newer answer of the service cannot turn it round. */

/** Whether each of these ids is to be on. */
export type Draft = ReadonlyMap<string, boolean>

export const NO_CHANGES: Draft = new Map()

export function ticked(draft: Draft, id: string, on: boolean): Draft {
  return new Map(draft).set(id, on)
}

/** The draft by which all of `all` are on, or none. */
export function allTo(on: boolean, all: readonly string[]): Draft {
  return new Map(all.map(id => [id, on]))
}

const only = (draft: Draft, keep: (id: string, on: boolean) => boolean): Draft =>
  new Map([...draft].filter(([id, on]) => keep(id, on)))

/** What of it differs from what the company has. */
export function unsaved(draft: Draft, own: ReadonlySet<string>): Draft {
  return only(draft, (id, on) => on !== own.has(id))
}

/** What of it is not what was sent. */
export function without(draft: Draft, sent: Draft): Draft {
  return only(draft, (id, on) => on !== sent.get(id))
}

export function isOn(own: ReadonlySet<string>, draft: Draft, id: string): boolean {
  return draft.get(id) ?? own.has(id)
}

export function outcome(all: readonly string[], own: ReadonlySet<string>, draft: Draft): string[] {
  return all.filter(id => isOn(own, draft, id))
}
