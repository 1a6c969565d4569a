/** The words of the company administrator's area, around its pages. */
export const texts = {
  companyHub: 'Verwaltung',
  loadingModules: 'Lade Module …',
  modulesFailed: 'Module konnten nicht geladen werden.',
  noModules: 'Keine Module freigeschaltet',
  groupDay: 'Tag',
  groupPlan: 'Plan und Abwesenheit',
  groupMonth: 'Monat',
  waiting: (count: number) => (count === 1 ? '1 wartet auf dich' : `${count} warten auf dich`),
} as const
