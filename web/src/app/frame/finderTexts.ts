export const finderTexts = {
  title: 'Wohin?',
  label: 'Seite oder Person',
  pages: 'Seiten',
  people: 'Personen',
  nothing: 'Nichts gefunden.',
} as const
