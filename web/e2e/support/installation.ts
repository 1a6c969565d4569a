/** The real service without mail: one for all tests of a worker, each with a company of its own. */
import { Cloud } from './cloud'
import { test as base } from './test'

let companies = 0

export const test = base.extend<{ cloud: Cloud }, { installation: Cloud }>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const cloud = new Cloud(false)
      await cloud.start()
      await use(cloud)
      await cloud.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  cloud: async ({ installation }, use) => {
    companies += 1
    // No name is a part of another one.
    await installation.makeCompany(`${String(companies).padStart(3, '0')} Tischlerei Holm`)
    await use(installation)
  },
})
