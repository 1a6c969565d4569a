const days = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 2 })

export const texts = {
  title: 'Zeitkonten',
  lead: 'Wie alle stehen: der Monat, und mit dem Saldo bis heute alles, was vorher war.',
  reload: 'Aktualisieren',

  list: (month: string) => `Zeitkonten im ${month}`,
  file: (month: string) => `Zeitkonten ${month}`,
  search: 'Person suchen',
  nobody: 'Niemand mit diesem Namen.',
  name: 'Name',
  target: 'Soll',
  actual: 'Ist',
  credits: 'Gutschriften',
  balance: 'Saldo',
  toDate: 'Saldo bis heute',
  vacation: 'Resturlaub',
  hints: 'Hinweise',
  days: (count: number) => days.format(count).replace('-', '−'),

  empty: 'In deiner Firma hat noch niemand ein Zeitkonto.',
  failed: 'Die Zeitkonten konnten nicht geladen werden.',
} as const
