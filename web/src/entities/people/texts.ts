export const texts = {
  search: 'Person suchen',
  searchHint: 'Name oder Tag-ID',
  nobodyFound: 'Niemand mit diesem Namen oder Tag.',
  showAll: 'Alle zeigen',

  roles: { user: 'Mitarbeiter', companyAdmin: 'Firmen-Admin', admin: 'System-Admin' },
  locked: 'Account locked (TOS Violation/ Safety)',
  yourself: 'Das bist du',
  protectedEdit: (tag: string) => `Dieser Nutzer kann nicht bearbeitet werden (${tag}).`,
} as const
