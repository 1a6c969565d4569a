/** A location on "Abwesenheiten bestätigen": its part, and the item's id. Pure. */
export const PARTS = ['absences', 'requests', 'corrections', 'decided'] as const
export type Part = (typeof PARTS)[number]

export interface Place {
  part: Part
  item?: string
}

export function addressOf({ part, item }: Place): string {
  const search = new URLSearchParams({ tab: 'absences', teil: part })
  if (item !== undefined) search.set('eintrag', item)
  return `?${search}`
}

export function placeIn(search: URLSearchParams): Place {
  const item = search.get('eintrag')
  const part = PARTS.find(part => part === search.get('teil')) ?? 'absences'
  return item === null ? { part } : { part, item }
}
