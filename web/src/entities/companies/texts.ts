export const texts = {
  company: 'Firma',
  choose: 'Firma suchen oder auswählen',
  noneFound: 'Keine Firma mit diesem Namen.',
  pickFirst: 'Wähle oben eine Firma aus.',
  pickOne: 'Wähle eine Firma aus.',
  loading: 'Firmen werden geladen …',
  noneYet: 'Es gibt noch keine Firma.',
  listFailed: 'Firmenliste konnte nicht geladen werden.',
} as const
