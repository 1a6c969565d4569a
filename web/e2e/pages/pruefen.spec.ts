import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { installed } from '../support/device'
import { test } from '../support/installation'
import { judge } from '../support/judge'
import type { Service } from '../support/service'
import { expect } from '../support/test'

const VECTORS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../cloud/tests/office/statement_vectors.json'), 'utf8'),
) as { keys: object[]; files: { name: string; content: string }[] }

const KEYS = 'GET /.well-known/stempelwerk-keys.json'

function file(vector: string, name: string) {
  const vectorFile = VECTORS.files.find(each => each.name === vector)
  return { name, mimeType: 'application/json', buffer: Buffer.from(vectorFile?.content ?? '', 'base64') }
}

const NOVEMBER = file('one that names the one before', 'zeitnachweis-2026-11-anna.json')
const OCTOBER = file('the first of two', 'zeitnachweis-2026-10-anna.json')

async function open(page: Page, service: Service) {
  service.answers.set(KEYS, { body: { keys: VECTORS.keys } })
  await page.goto(`${service.url}/pruefen`)
  await expect(page.getByLabel(/^Datei wählen/)).toBeVisible()
}

const give = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.getByLabel(/^Datei wählen/).setInputFiles(files)

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a file is chosen by keyboard, and what came of it is one sentence', async ({ page, service }) => {
    await page.goto(service.url)
    service.answers.set(KEYS, { body: { keys: VECTORS.keys } })
    await page.getByRole('contentinfo').getByRole('link', { name: 'Nachweis prüfen' }).press('Enter')
    const button = page.getByLabel(/^Datei wählen/)
    await expect(button).toBeVisible()
    const chooser = page.waitForEvent('filechooser')
    await button.focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(NOVEMBER)
    await expect(page.getByRole('status')).toHaveText(/^Echt: der Zeitnachweis von anna .* unverändert\.$/)
    await judge(page, 'pruefen-genuine')
    await page.getByLabel(/^Vorigen Nachweis dazu prüfen/).setInputFiles(OCTOBER)
    await expect(page.getByRole('status')).toHaveText(/schließt direkt an den für Oktober 2026 an\.$/)
    await give(page, file('a minute more', 'november.json'))
    await expect(page.getByRole('status')).toHaveText(/^Nicht echt: „november.json“ wurde/)
    await judge(page, 'pruefen-changed')
    await give(page, file('a genuine one', 'november.json'), OCTOBER)
    await expect(page.getByRole('status')).toHaveText(/^Echt, aber nicht verbunden: /)
  })

  test('where the browser has no Ed25519 of its own, the page has', async ({ page, service }) => {
    await page.addInitScript(() => {
      Object.defineProperty(crypto, 'subtle', { value: undefined })
    })
    await open(page, service)
    await give(page, NOVEMBER)
    await expect(page.getByRole('status')).toHaveText(/^Echt: /)
    await give(page, file('a minute more', 'x.json'))
    await expect(page.getByRole('status')).toHaveText(/^Nicht echt: /)
  })
})

test('works without a network once it was opened, without any login', async ({ page, service }) => {
  await open(page, service)
  await installed(page)
  await service.stop()
  await page.reload()
  await expect(page.getByText(/^Ohne Verbindung: geprüft wird mit den Schlüsseln vom/)).toBeVisible()
  await give(page, NOVEMBER)
  await expect(page.getByRole('status').filter({ hasText: 'Echt' })).toHaveText(/^Echt: /)
  await give(page, file('two entries swapped', 'x.json'))
  await expect(page.getByRole('status').filter({ hasText: 'echt' })).toHaveText(/^Nicht echt: /)
})

test('the worker leaves the published keys alone', async ({ page, service }) => {
  await open(page, service)
  await installed(page)
  await page.goto(`${service.url}/.well-known/stempelwerk-keys.json`)
  await expect(page.locator('body')).toContainText('"kid"')
})

test.describe('with the real service', () => {
  test('a statement that an employee has fetched is genuine, and one with a minute more is not', async ({
    page,
    cloud,
  }) => {
    const anna = await cloud.person('anna')
    await cloud.enter(page, anna, '/dashboard?tab=my_account')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Zeitnachweis als JSON zum Prüfen' }).click()
    const fetched = readFileSync(await (await download).path(), 'utf8')
    await page.getByRole('link', { name: 'Nachweis prüfen' }).click()
    const as = (content: string) => ({
      name: 'nachweis.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
    await give(page, as(fetched))
    await expect(page.getByRole('status')).toHaveText(
      new RegExp(`^Echt: der Zeitnachweis von anna \\(${cloud.firm.name}\\)`),
    )
    await give(page, as(fetched.replace('"actual":0', '"actual":1')))
    await expect(page.getByRole('status')).toHaveText(/^Nicht echt: „nachweis.json“ wurde/)
  })
})
