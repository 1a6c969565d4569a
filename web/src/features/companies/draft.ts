/** Unsaved ticks of modules, as explicit values, so that a newer answer of the service does not invert them. */

/** The intended state of each of these ids. */
export type Draft = ReadonlyMap<string, boolean>

export const NO_CHANGES: Draft = new Map()

export function ticked(draft: Draft, id: string, on: boolean): Draft {
  return new Map(draft).set(id, on)
}

/** The draft that sets all of `all` to `on`. */
export function allTo(on: boolean, all: readonly string[]): Draft {
  return new Map(all.map(id => [id, on]))
}

const only = (draft: Draft, keep: (id: string, on: boolean) => boolean): Draft =>
  new Map([...draft].filter(([id, on]) => keep(id, on)))

/** The entries that differ from the company's modules. */
export function unsaved(draft: Draft, own: ReadonlySet<string>): Draft {
  return only(draft, (id, on) => on !== own.has(id))
}

/** The entries that differ from the sent draft. */
export function without(draft: Draft, sent: Draft): Draft {
  return only(draft, (id, on) => on !== sent.get(id))
}

export function isOn(own: ReadonlySet<string>, draft: Draft, id: string): boolean {
  return draft.get(id) ?? own.has(id)
}

export function outcome(all: readonly string[], own: ReadonlySet<string>, draft: Draft): string[] {
  return all.filter(id => isOn(own, draft, id))
}
