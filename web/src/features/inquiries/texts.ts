export const texts = {
  title: 'Anfragen',
  lead: 'Was Besucherinnen und Besucher über Konfigurator und Kontaktformular geschickt haben. Nach sechs Monaten wird es gelöscht.',
  list: 'Anfragen, neueste zuerst',
  offer: 'Angebot',
  contact: 'Nachricht',
  nobody: 'Ohne Namen',
  moment: (day: string, time: string) => `${day}, ${time}\u00a0Uhr`,
  total: 'Summe',
  totalNote: 'zzgl.\u00a0MwSt.',
  cloudNote: (monthly: string) => `zuzüglich Cloud-Hosting ${monthly} im Monat`,
  devices: (count: number, version: string) => `${count}\u00a0×\u00a0${version}`,
  noAddress: 'Ohne E-Mail-Adresse: Antworten geht nicht.',
  answer: (email: string) => `${email} schreiben`,

  remove: 'Löschen',
  removeOf: (who: string, moment: string) => `Anfrage von ${who}, ${moment}, löschen`,
  removeQuestion: 'Anfrage löschen?',
  removeConsequences: (who: string): string[] => [
    `Was ${who} geschickt hat, ist hier endgültig weg.`,
    'Die E-Mail dazu, falls eine verschickt wurde, bleibt im Postfach.',
    'Im Änderungsprotokoll steht, dass gelöscht wurde, aber nicht, was.',
  ],
  removed: 'Anfrage gelöscht.',
  removeFailed: 'Die Anfrage konnte nicht gelöscht werden.',

  more: 'Ältere laden',
  noMore: 'Ältere Anfragen gibt es nicht.',
  moreFailed: 'Ältere Anfragen konnten nicht geladen werden.',
  failed: 'Die Anfragen konnten nicht geladen werden.',
  empty: 'Noch hat niemand etwas geschickt.',
  notTaken:
    'Die Formulare verschicken noch nichts. Sie tun es, sobald beim Start des Dienstes STEMPELWERK_INQUIRY_EMAIL gesetzt ist.',
} as const

/** What the fields of the forms are called, in the order in which they are shown. */
export const FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  email: 'E-Mail',
  anzahl: 'Anzahl',
  version: 'Ausführung',
  branding: 'Branding',
  kundenname: 'Kundenname',
  logo: 'Logo (Dateiname)',
  support: 'Support',
  hosting: 'Hosting',
  nachricht: 'Nachricht',
  message: 'Nachricht',
}

/** What the fields' values are called, by the field. */
export const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  version: { wand: 'Wandmontage', quickfix: 'QuickFix' },
  branding: { true: 'ja', false: 'nein' },
  support: { basis: 'Basis', premium: 'Premium' },
  hosting: { cloud: 'Cloud', local: 'Lokal' },
}
