/** Deciding about absences: each part in every look, and an administrator's way from deciding to taking back. */
import type { Page } from '@playwright/test'
import { leave, parts } from '../../src/features/vacation/samples'
import { judge } from '../support/judge'
import type { Asked, Laid, Service } from '../support/service'
import { enter, expect, expectSaid, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const FEATURES = [{ id: 'f-1', key: 'absences', label: 'Abwesenheiten' }]
const PEOPLE = [{ id: 'u-9', username: 'Finn Maurer', role: 'user' }]
const LEAVE = 'GET /api/companies/c-1/vacation-requests'

async function open(page: Page, service: Service, part: keyof typeof parts) {
  await stopTheClock(page)
  service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
  service.answers.set('GET /api/companies/c-1/features', { body: FEATURES })
  service.answers.set('GET /api/companies/c-1/users', { body: PEOPLE })
  for (const [call, body] of Object.entries(parts[part].answers)) service.answers.set(call, { body })
  await enter(page, `${service.url}/company-dashboard?tab=absences&teil=${part}`, 'chef')
  await expect(page.getByText(parts[part].shows).first()).toBeVisible()
}

for (const part of ['requests', 'corrections', 'decided'] as const) {
  test(`the part ${part}`, async ({ page, service }) => {
    await open(page, service, part)
    await judge(page, `company-absences-${part}`)
  })
}

test('leave is approved by its key, and what was approved is moved and cancelled with a sentence', async ({
  page,
  service,
}) => {
  const sent: [string, unknown][] = []
  const takes = (call: string, laid: Laid) =>
    service.acts.set(call, ({ body }: Asked) => {
      sent.push([call, body])
      return laid
    })
  takes('POST /api/vacation-requests/v-1/approve', { body: leave('v-1', { status: 'approved' }) })
  takes('PUT /api/vacation-requests/v-1', { body: leave('v-1', { status: 'approved' }) })
  takes('POST /api/vacation-requests/v-1/cancel', { body: leave('v-1', { status: 'cancelled' }) })
  await open(page, service, 'requests')
  service.answers.set(LEAVE, { body: parts.decided.answers[LEAVE] })
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: /Ayse Demir/ })).toBeVisible()
  expect(sent).toEqual([])
  // Leaving the list is a decision.
  await page.getByRole('button', { name: 'Entschieden' }).click()
  await expect.poll(() => sent.length).toBe(1)

  await page.getByRole('button', { name: /^Ändern: Finn Maurer/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Letzter Tag', { exact: true }).fill('09.12.2026')
  await dialog.getByLabel('Letzter Tag', { exact: true }).press('Tab')
  await expect(dialog.getByText('Danach übrig 2026')).toBeVisible()
  await dialog.getByLabel('Begründung').fill('Inventur.')
  await judge(page, 'company-absences-move')
  await dialog.getByRole('button', { name: 'Ändern' }).click()
  await expectSaid(page, 'Urlaub wurde geändert.')

  await page.getByRole('button', { name: /^Weitere Aktionen: Finn Maurer/ }).click()
  await page.getByRole('menuitem', { name: 'Stornieren' }).click()
  await dialog.getByLabel('Begründung').fill('Auf deinen Wunsch.')
  await dialog.getByRole('button', { name: 'Stornieren' }).click()
  await expectSaid(page, 'Urlaub wurde storniert.')
  expect(sent.map(([call]) => call)).toEqual([
    'POST /api/vacation-requests/v-1/approve',
    'PUT /api/vacation-requests/v-1',
    'POST /api/vacation-requests/v-1/cancel',
  ])
  expect(sent[1]?.[1]).toMatchObject({ endDate: '2026-12-09', comment: 'Inventur.' })
})

test('an absence is entered for somebody', async ({ page, service }) => {
  service.acts.set('POST /api/absences', () => ({ status: 201, body: [] }))
  await open(page, service, 'requests')
  await page.getByRole('button', { name: 'Abwesenheit eintragen' }).click()
  const dialog = page.getByRole('dialog')
  const choose = async (name: string, option: string) => {
    await dialog.getByRole('combobox', { name }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await choose('Wer', 'Finn Maurer')
  await choose('Art', 'Andere Abwesenheit')
  await choose('Grund', 'unbezahlt')
  await expect(dialog.getByLabel('Zählt als gearbeitet')).not.toBeChecked()
  await dialog.getByLabel('Erster Tag', { exact: true }).fill('07.12.2026')
  await dialog.getByLabel('Erster Tag', { exact: true }).press('Tab')
  await judge(page, 'company-absences-enter')
  await dialog.getByRole('button', { name: 'Eintragen' }).click()
  await expectSaid(page, 'Abwesenheit wurde eingetragen.')
})
