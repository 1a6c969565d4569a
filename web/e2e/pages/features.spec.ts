/** Every page that a feature declares, with what its own `samples.ts` puts on it: accessible, and fitting every window. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Sample } from '../../src/features/feature'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { enter, expect, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const FEATURES = join(import.meta.dirname, '../../src/features')
const AREAS = {
  employee: { path: '/dashboard', person: 'mia' },
  council: { path: '/dashboard', person: 'council' },
  company: { path: '/company-dashboard', person: 'chef' },
  admin: { path: '/admin', person: 'root' },
} as const

const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('samples.ts'),
)
const samples: Sample[] = (
  await Promise.all(files.map(async file => (await import(join(FEATURES, file))).samples))
).flat()

function layOut(service: Service, { page, answers }: Sample) {
  const modules = page.module === undefined ? [] : [{ id: 'f-1', key: page.module, label: page.module }]
  const companies = [
    { id: 'c-1', name: 'Tischlerei Holm' },
    { id: 'c-0', name: 'Plattform' },
  ]
  service.answers.set('GET /api/companies', { body: companies })
  for (const company of companies) service.answers.set(`GET /api/companies/${company.id}`, { body: company })
  service.answers.set('GET /api/companies/c-1/features', { body: modules })
  for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
}

const addressOf = ({ page, search }: Sample) =>
  search === undefined ? `tab=${page.key}` : `tab=${page.key}&${search}`

for (const sample of samples) {
  const { area, key } = sample.page
  test(`the page ${key} of the area ${area}`, async ({ page, service }) => {
    await stopTheClock(page)
    layOut(service, sample)
    const { path, person } = AREAS[area]
    await enter(page, `${service.url}${path}?${addressOf(sample)}`, person)
    await expect(page.getByText(sample.shows).first()).toBeVisible()
    await judge(page, `${area}-${key}`, async size => {
      // On a phone the logout is in "Mehr".
      await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(size === 'desktop' ? 1 : 0)
    })
  })
}
