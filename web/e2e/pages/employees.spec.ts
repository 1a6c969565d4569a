/** The administrator's way from the list to a person's own page, in every look. */
import { MODULES, ofCompany, PERSON } from '../../src/features/users/samples'
import { judge } from '../support/judge'
import { enter, expect, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('from the list to a person, whose exit ends what is planned behind it', async ({ page, service }) => {
  await stopTheClock(page)
  const answers = { 'GET /api/companies/c-1/features': MODULES, ...ofCompany, ...PERSON }
  for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
  service.answers.set('PUT /api/users/u-4/employment', {
    status: 409,
    body: {
      status: 409,
      code: 'plans_after_exit',
      message: 'Nach dem Austritt liegen noch Dienste, Anträge, Urlaub, Abwesenheiten oder Übergaben.',
      plans: [{ kind: 'duty', id: 'd-1', date: '2026-12-03' }],
    },
  })
  await enter(page, `${service.url}/company-dashboard?tab=manage_employees`, 'chef')
  await page.getByRole('link', { name: 'Finn Maurer' }).click()
  await expect(page.getByLabel('Personalnummer')).toHaveValue('1004')
  await expect(page.getByText('Überstunden ausgezahlt')).toBeVisible()
  await judge(page, 'company-person')
  await page.getByRole('textbox', { name: 'Austritt' }).fill('30.11.2026')
  await page.getByRole('textbox', { name: 'Austritt' }).press('Tab')
  await page.getByRole('button', { name: 'Stammdaten speichern' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nach dem Austritt ist noch etwas geplant' })
  await expect(dialog.getByText('Dienst am 3. Dezember 2026')).toBeVisible()
})
