/** The words that the design system itself says. */
export const texts = {
  retry: 'Erneut versuchen',
  loading: 'Wird geladen …',
  previousMonth: 'Vorheriger Monat',
  nextMonth: 'Nächster Monat',
  chooseMonth: 'Monat auswählen',
  previousYear: 'Vorheriges Jahr',
  nextYear: 'Nächstes Jahr',
  thisMonth: 'Aktueller Monat',
  close: 'Schließen',
  showPassword: 'Passwort anzeigen',
  offline: 'Keine Verbindung zum Server.',
  asOf: (moment: string) => `Stand vom ${moment}.`,
  clock: (time: string) => `${time} Uhr`,
  today: 'Heute',
  yesterday: 'Gestern',
} as const
