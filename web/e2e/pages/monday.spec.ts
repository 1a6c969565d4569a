/** Monday at seven against the real service: forty decisions wait, and all are made by keyboard only. */
import { dayOf } from '../../src/ui/days'
import { addMonths } from '../../src/ui/months'
import { test } from '../support/installation'
import { expect } from '../support/test'

test.use({ serviceWorkers: 'block' })

const PEOPLE = 10
const EACH = 4

test('forty decisions', async ({ page, cloud }) => {
  const chef = await cloud.person('Chef', 'companyAdmin')
  const month = addMonths(dayOf(new Date()).slice(0, 7), 1)
  for (let person = 0; person < PEOPLE; person += 1) {
    const ask = await cloud.as(await cloud.person(`Person ${person}`))
    for (let day = 1; day <= EACH; day += 1) {
      const date = `${month}-0${day}`
      await ask('POST', '/api/vacation-requests', { kind: 'wish', startDate: date, endDate: date })
    }
  }
  const asChef = await cloud.as(chef)
  const statuses = async () => {
    const rows = await asChef('GET', `/api/companies/${cloud.firm.id}/vacation-requests`)
    return (['pending', 'approved', 'declined'] as const).map(
      status => rows.filter(row => row.status === status).length,
    )
  }
  await cloud.enter(page, chef, '/company-dashboard?tab=today')
  const list = page.getByRole('list', { name: 'Urlaub und Wunschfrei' })
  await expect(list.getByRole('listitem').first()).toBeVisible()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  // The first is declined and taken back; the next is stepped over and back to.
  await press('d', 'z', 'j', 'k')
  for (let remaining = PEOPLE * EACH; remaining > 0; remaining -= 1) await press(remaining === 1 ? 'd' : 'a')
  await expect(page.getByText('Alles erledigt.')).toBeVisible()
  await expect.poll(statuses, { timeout: 30_000 }).toEqual([0, 39, 1])
})
