export const texts = {
  title: 'Stempel ohne Firma',
  lead: 'Was Uhren geliefert haben und zu keiner Firma gehört, weil die Uhr zu der Zeit niemandem gehörte. Gib es einer Firma frei, dann zählt es dort wie jeder andere Stempel.',
  offline: 'Gezeigt wird, was zuletzt bekannt war.',
  failed: 'Die Stempel konnten nicht geladen werden.',
  empty: 'Kein Stempel wartet auf eine Firma.',

  clock: 'Uhr',
  at: 'Zeitpunkt',
  moment: (moment: string) => `${moment} Uhr`,
  tag: 'Tag-ID',
  why: 'Warum',
  nobodys: 'Die Uhr gehörte niemandem',
  notThen: 'Die Zuordnung, die die Uhr nennt, galt da nicht',
  unreadable: 'Nicht lesbar',
  unknown: '–',
  actions: 'Aktionen',

  release: 'Freigeben',
  releaseOf: (serial: string, moment: string) => `Freigeben: ${serial}, ${moment} Uhr`,
  releaseTitle: (serial: string) => `Stempel der Uhr ${serial} freigeben`,
  releaseLead:
    'Alle Stempel dieser Uhr aus der Zeit gehen an die Firma, auch solche, die erst später eintreffen. Zurücknehmen lässt sich das nicht.',
  from: 'Von',
  to: 'Bis',
  whole: 'Bitte Tag und Uhrzeit angeben.',
  concerns: (count: number) =>
    count === 0
      ? 'Davon wartet jetzt keiner.'
      : count === 1
        ? 'Davon wartet jetzt 1 Stempel.'
        : `Davon warten jetzt ${count} Stempel.`,
  released: (count: number) => (count === 1 ? '1 Stempel freigegeben.' : `${count} Stempel freigegeben.`),
  releaseFailed: 'Das Freigeben ist fehlgeschlagen.',
} as const
