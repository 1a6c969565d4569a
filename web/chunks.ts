/** Which sources of the app come together as one file, by their paths below `src`; a folder ends with a slash. */
export const CHUNKS = {
  /** What any page of an employee stands in or is made of, so that it comes as one file and not as fifteen. */
  hub: [
    'api/endedSessions.ts',
    'api/live.ts',
    'api/reading.ts',
    'api/wake.ts',
    'app/AnswersCache.tsx',
    'app/employee/EmployeeArea.tsx',
    'app/employee/features.ts',
    'app/frame/AccountMenu.tsx',
    'app/frame/CountMark.tsx',
    'app/frame/ModuleHub.tsx',
    'app/frame/SignedIn.tsx',
    'app/pages.tsx',
    'app/queries.ts',
    'app/signOut.ts',
    'patterns/Page.tsx',
    'patterns/QueryView.tsx',
    'patterns/sending.ts',
    'patterns/useAct.ts',
    'patterns/useChange.ts',
    'patterns/useGet.ts',
    'patterns/useMonthInAddress.ts',
    'patterns/useStored.ts',
    'ui/Badge.tsx',
    'ui/MonthPicker.tsx',
    'ui/Table.tsx',
    'ui/days.ts',
    'ui/months.ts',
  ],
  /** The own times; what administrators see of times takes its parts from there. */
  times: ['entities/entries/', 'features/times/MyTimes.tsx', 'features/times/entryParts.tsx'],
  /** What the pages of administrators stand in. */
  areas: [
    'app/admin/AdminArea.tsx',
    'app/company/CompanyArea.tsx',
    'app/features.ts',
    'entities/absences/leftOut.ts',
    'entities/people/PersonLink.tsx',
    'ui/alphabet.ts',
    'ui/presses.ts',
  ],
  /** What public pages or the login need as much as the pages behind it. */
  both: [
    'api/client.ts',
    'api/failures.ts',
    'ui/durations.ts',
    'ui/useMatch.ts',
    'ui/useNow.ts',
    'ui/useWide.ts',
  ],
  /** What several public pages are made of. */
  public: ['app/public/parts/', 'app/public/pictures/', 'entities/offer/'],
  /** The page that most come for, with the words that its dialogs share. */
  first: ['features/schedule/MySchedule.tsx', 'features/schedule/texts.ts'],
  /** What every form is made of: Mantine's, and what these need around them. */
  dressed: ['ui/Dressed.tsx', 'ui/fields.tsx'],
} as const satisfies Record<string, readonly string[]>

/** Finds the sources of a chunk. */
export const of = (chunk: keyof typeof CHUNKS) => {
  const paths = CHUNKS[chunk].map(path => path.replaceAll('.', '\\.') + (path.endsWith('/') ? '' : '$'))
  return new RegExp(`/src/(${paths.join('|')})`)
}
