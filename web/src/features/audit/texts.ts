export const texts = {
  title: 'Änderungsprotokoll',
  lead: 'Wer hat wann was entschieden? Einträge lassen sich hier weder ändern noch löschen, und wenn es doch jemand täte, fiele es auf: Die Prüfsumme kettet jeden Eintrag an den vorigen.',
  offline: 'Neue Einträge siehst du, sobald die Verbindung wieder steht.',

  filters: 'Einträge filtern',
  person: 'Wer',
  anybody: 'Alle',
  kind: 'Was',
  anything: 'Alles',
  allOf: (group: string) => `${group}: alles`,
  from: 'Von',
  to: 'Bis',
  reversed: 'Der Anfang liegt nach dem Ende.',
  clear: 'Filter zurücksetzen',

  list: 'Einträge',
  time: 'Zeit',
  hash: 'Prüfsumme',
  copyHash: (hash: string) => `Prüfsumme kopieren: ${hash}`,
  hashCopied: 'Prüfsumme kopiert.',
  installation: 'Installation',
  unknownPerson: 'Unbekannt',

  before: 'vorher',
  after: 'nachher',
  more: 'Weitere laden',
  noMore: 'Ältere Einträge gibt es nicht.',
  empty: 'Noch hat niemand etwas entschieden, was hierher gehört.',
  emptyFiltered: 'Für diese Auswahl gibt es keine Einträge.',
  failed: 'Das Protokoll konnte nicht geladen werden.',
  moreFailed: 'Weitere Einträge konnten nicht geladen werden.',
} as const

/** What a value is called when there is none, or nobody may read it any more. */
export const valueTexts = {
  none: '–',
  erased: 'gelöscht',
  yes: 'ja',
  no: 'nein',
  nothing: 'keine',
  open: 'offen',
  minutes: (count: number) => `${count} min`,
  moment: (day: string, time: string) => `${day}, ${time} Uhr`,
} as const

/** Members that many rooms have. */
export const memberTexts: Readonly<Record<string, string>> = {
  name: 'Name',
  added: 'Freigeschaltet',
  removed: 'Abgeschaltet',
  validFrom: 'Gilt ab',
  from: 'Von',
  to: 'Bis',
  since: 'Ab',
  date: 'Datum',
}
