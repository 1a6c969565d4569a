/** An administrator sets a rate and reads what the month costs by it; and takes the company's data along. */
import { readFile } from 'node:fs/promises'
import { answers, config } from '../../src/features/costs/samples'
import { dump } from '../../src/features/dataview/samples'
import { enter, expect, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const MODULES = ['costs', 'data_view'].map(key => ({ id: key, key, label: key }))

test('a rate is set, and the month is asked for anew', async ({ page, service }) => {
  await stopTheClock(page)
  service.answers.set('GET /api/companies/c-1/features', { body: MODULES })
  for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
  const path = '/api/companies/c-1/compensation-config'
  service.answers.set(`PUT ${path}`, { body: { ...config, validFrom: null, months: [] } })
  await enter(page, `${service.url}/company-dashboard?tab=costs`, 'chef')
  await page.getByLabel('Finn Maurer: Stundensatz (€)').fill('14,10')
  const sent = page.waitForRequest(
    request => request.method() === 'PUT' && request.url().endsWith('dryRun=false'),
  )
  const costsRequest = page.waitForRequest(request => request.url().includes('compensation-costs?month='))
  await page.getByRole('button', { name: 'Sätze speichern' }).click()
  expect((await sent).postDataJSON()).toEqual({ userHourlyCents: { 'u-1': 1_850, 'u-4': 1_410 } })
  await costsRequest
  await expect(page.getByText('Konfiguration gespeichert.')).toBeVisible()
})

test('a table is narrowed down and taken along as CSV', async ({ page, service }) => {
  await stopTheClock(page)
  service.answers.set('GET /api/companies/c-1/features', { body: MODULES })
  service.answers.set('GET /api/companies/c-1/data-dump', { body: dump })
  await enter(page, `${service.url}/company-dashboard?tab=data_view`, 'chef')
  await page.getByRole('button', { name: 'Abwesenheiten 1.284' }).click()
  await page.getByLabel('Filtern').fill('fieber')
  await expect(page.getByText('1 von 1.284 Zeilen')).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Als CSV' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('absences.csv')
  expect(await readFile(await file.path(), 'utf8')).toContain('"Fieber; Arzt heute, ""Dr. Wu"""')
})

test('a press on the archive counts, also if the tables arrive while the finger is down', async ({
  page,
  service,
}) => {
  await stopTheClock(page)
  service.answers.set('GET /api/companies/c-1/features', { body: MODULES })
  service.answers.set('GET /api/companies/c-1/data-dump', { body: dump })
  service.answers.set('GET /api/companies/c-1/archives', { body: [] })
  service.answers.set('GET /api/companies/c-1/archive', {
    body: Buffer.from('PK'),
    headers: { 'Content-Disposition': 'attachment; filename="archiv-Holm.zip"' },
  })
  let arrive = () => {}
  const dumpArrival = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route('**/data-dump*', async route => {
    await dumpArrival
    await route.continue()
  })
  await enter(page, `${service.url}/company-dashboard?tab=data_view`, 'chef')
  const archive = page.getByRole('button', { name: 'Archiv herunterladen' })
  await expect(archive).toBeVisible()
  // Once the page has loaded, the tables' placeholder rows push the archive down.
  await expect(page.getByRole('status').filter({ hasText: 'Wird geladen' })).toBeVisible()
  await archive.hover()
  const boxBefore = await archive.boundingBox()
  await page.mouse.down()
  arrive()
  await expect(page.getByRole('button', { name: 'Abwesenheiten 1.284' })).toBeVisible()
  expect((await archive.boundingBox())?.y).not.toBe(boxBefore?.y)
  const saving = page.waitForEvent('download')
  await page.mouse.up()
  expect((await saving).suggestedFilename()).toBe('archiv-Holm.zip')
})
