export const texts = {
  /** Its heading may be a place of its own with the table's name. */
  frame: (caption: string) => `${caption}: Tabelle`,
  sortBy: (column: string) => `Nach ${column} sortieren`,
  sums: 'Summe',
  sumsOf: (list: string) => `Summe: ${list}`,
  csv: 'Als CSV',
  select: (name: string) => `Auswählen: ${name}`,
  selectAll: 'Alle auswählen',
  selected: (count: number) => `${count} ausgewählt`,
  unfold: (name: string) => `Einzelheiten: ${name}`,
  details: 'Einzelheiten',
} as const
