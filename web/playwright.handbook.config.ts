/** Takes the handbook's pictures: `npm run handbook`. They are looked at and committed; no test compares them. */
import base, { WINDOWED } from './playwright.config'

export default {
  ...base,
  testDir: 'e2e/handbook',
  testMatch: '**/*.ts',
  workers: 1,
  use: { ...base.use, launchOptions: WINDOWED },
}
