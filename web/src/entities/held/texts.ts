export const texts = {
  title: 'Wartende Stempel',
  failed: 'Die wartenden Stempel konnten nicht geladen werden.',
  nameOf: (tag: string, moment: string) => `${tag}, ${moment}`,
  at: (moment: string, clock: string) => `${moment} Uhr an der Uhr „${clock}“`,
  states: {
    held_unknown_tag: 'Unbekannter Chip',
    held_revoked_tag: 'Chip gilt nicht mehr',
    held_assignment: 'Uhr nicht zugeordnet',
    held_clock: 'Uhrzeit unsicher',
    conflict: 'Widersprüchlich',
    late_in_deleted: 'Zu gelöschtem Eintrag',
  } as Readonly<Record<string, string>>,

  give: 'Wem gehört er?',
  giveOf: (name: string) => `Wem gehört er? ${name}`,
  giveTitle: (tag: string) => `Tag-ID ${tag} zuordnen`,
  giveLead: 'Alle Stempel dieser Tag-ID ab dem Zeitpunkt werden für die Person gebucht.',
  books: (count: number) =>
    count === 0
      ? 'Ab diesem Zeitpunkt wartet kein Stempel.'
      : count === 1
        ? 'Gebucht wird 1 Stempel:'
        : `Gebucht werden ${count} Stempel:`,
  andMore: (count: number) => `und ${count} weitere`,
  noGiving: 'Chips ordnet zu, wer Mitarbeiter verwalten darf.',
  person: 'Person',
  choose: 'Bitte Mitarbeiter auswählen.',
  nobody: 'Niemand mit diesem Namen.',
  from: 'Gilt ab',
  whole: 'Bitte Tag und Uhrzeit angeben.',
  giveConfirm: 'Zuordnen und buchen',
  given: (count: number) => (count === 1 ? '1 Stempel gebucht.' : `${count} Stempel gebucht.`),
  giveFailed: 'Die Tag-ID konnte nicht zugeordnet werden.',

  book: 'Buchen',
  bookOf: (name: string) => `Buchen: ${name}`,
  bookTitle: 'Stempel buchen',
  takenAt: 'Zeitpunkt',
  takenAtHint: 'So steht er auf der Uhr. Ändere ihn, wenn du es besser weißt.',
  booked: 'Stempel gebucht.',
  discard: 'Verwerfen',
  discardOf: (name: string) => `Verwerfen: ${name}`,
  discardTitle: 'Stempel verwerfen',
  discardConsequences: [
    'Der Stempel zählt für niemanden.',
    'Es steht mit deinem Namen im Änderungsprotokoll.',
  ],
  discarded: 'Stempel verworfen.',
  resolveFailed: 'Über den Stempel konnte nicht entschieden werden.',
} as const
