/** A planner's month against the real service, by keyboard only. */
import { dayOf } from '../../src/ui/days'
import { addMonths } from '../../src/ui/months'
import type { Person } from '../support/cloud'
import { test } from '../support/installation'
import { expect, expectSaid } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('from the first duty to what its person reads', async ({ page, cloud }) => {
  const chef = await cloud.person('Chef', 'companyAdmin')
  const [ben, mia] = [await cloud.person('Ben Kurz'), await cloud.person('Mia Sommer')]
  const month = addMonths(dayOf(new Date()).slice(0, 7), 1)
  const [third, fourth] = [`${month}-03`, `${month}-04`]
  const [asBen, asMia] = [await cloud.as(ben), await cloud.as(mia)]
  await asBen('POST', '/api/vacation-requests', { kind: 'wish', startDate: fourth, endDate: fourth })
  await cloud.enter(page, chef, `/company-dashboard?tab=schedule&ansicht=plan&monat=${month}`)
  const cell = (person: Person, day: string) => page.locator(`[data-cell="${person.id} ${day}"]`)
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await expect(cell(ben, fourth)).toHaveAccessibleName(/^Wunschfrei, beantragt/)
  await cell(mia, third).focus()
  await press('Enter')
  await expect(cell(mia, third)).toHaveAccessibleName(/^Dienst/)
  await press('z')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Beginn: Stunden')).toBeFocused()
  await page.keyboard.type('0600')
  await press('Tab')
  await page.keyboard.type('1400')
  await press('Enter')
  await expect(dialog).toBeHidden()
  await expect(cell(mia, third)).toHaveAccessibleName(/^Dienst 06:00–14:00/)
  await expect(cell(mia, third)).toBeFocused()
  await press(' ', 'ArrowUp', 'ArrowRight', ' ')
  await expect(cell(ben, fourth)).toHaveAccessibleName(/^Dienst 06:00–14:00/)
  await press('Control+z')
  await expect(cell(mia, third)).toHaveAccessibleName('Dienst 06:00–14:00, nicht veröffentlicht')
  await page.getByRole('button', { name: '1 Änderung veröffentlichen' }).press('Enter')
  await dialog.getByRole('button', { name: 'Veröffentlichen', exact: true }).press('Enter')
  await expectSaid(page, '1 Person benachrichtigt.')
  const duties = await asMia('GET', `/api/companies/${cloud.firm.id}/schedule`)
  expect(duties.map(({ date, start, end }) => [date, start, end])).toEqual([[third, '06:00', '14:00']])
})
