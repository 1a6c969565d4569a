/** The operator's clocks, on the real service: a new one is claimed by its code, and replaced when it breaks. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Page } from '@playwright/test'
import { Cloud, FOUNDER } from '../support/cloud'
import { judge } from '../support/judge'
import { expect, expectSaid, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const cloud = new Cloud(false)

test.beforeAll(async () => {
  test.setTimeout(120_000)
  await cloud.start()
})
test.afterAll(() => cloud.stop())

const digest = (bytes: Uint8Array | string) => createHash('sha256').update(bytes)

/** A clock that introduces itself as the contract says; the code on its display. */
async function enrol(serial: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const uri = `${cloud.url}/api/devices/enroll`
  const body = JSON.stringify({
    ...{ proto: 1, serial, mac: 'b8:27:eb:00:00:01', profile: 'core', version: '1.4.0' },
    ...{ hardwareId: serial, publicKey: raw.toString('base64') },
  })
  const content = `sha-256=:${digest(body).digest('base64')}:`
  const created = Math.floor(Date.now() / 1000)
  const signed = `("@method" "@target-uri" "content-digest");created=${created};nonce="${randomUUID()}";keyid="${digest(raw).digest('base64url')}";alg="ed25519"`
  const lines = [
    '"@method": POST',
    `"@target-uri": ${uri}`,
    `"content-digest": ${content}`,
    `"@signature-params": ${signed}`,
  ]
  const signature = sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64')
  const answer = await fetch(uri, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'Content-Digest': content,
      'Signature-Input': `sig1=${signed}`,
      Signature: `sig1=:${signature}:`,
    },
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { claimCode: string }).claimCode
}

const dialog = (page: Page) => page.getByRole('dialog')
const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Geräte' }).getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, label: string, words: string) {
  await dialog(page).getByRole('combobox', { name: label }).fill(words)
  await page.getByRole('option', { name: words }).click()
}

test('a new clock is claimed by its code, and replaced when it breaks', async ({ page }) => {
  const code = await enrol('SW-0417')
  await enrol('SW-0902')
  await cloud.enter(page, FOUNDER, '/admin?tab=registry')
  await expect(card(page, 'SW-0417').getByText(code)).toBeVisible()

  await page.getByRole('button', { name: 'Uhr mit Code zuordnen' }).click()
  await dialog(page).getByLabel('Code auf der Anzeige').fill(code.toLowerCase())
  await choose(page, 'Firma', 'Tischlerei Holm')
  await judge(page, 'claim')
  await dialog(page).getByRole('button', { name: 'Firma zuordnen' }).click()
  await expectSaid(page, 'Firma zugeordnet.')
  await expect(card(page, 'SW-0417')).toHaveCount(0)

  await page.getByRole('combobox', { name: 'Anzeigen' }).click()
  await page.getByRole('option', { name: 'Alle' }).click()
  await card(page, 'SW-0417').getByRole('button', { name: 'Weitere Aktionen: SW-0417' }).click()
  await page.getByRole('menuitem', { name: 'Ersetzen' }).click()
  await choose(page, 'Ersatzgerät', 'SW-0902')
  await dialog(page).getByRole('button', { name: 'Ersetzen' }).click()
  await expectSaid(page, 'SW-0902 hat übernommen.')
  await expect(card(page, 'SW-0902').getByText('Tischlerei Holm')).toBeVisible()

  await page.getByRole('link', { name: '„SW-0902“ ansehen' }).click()
  await expect(page.getByRole('link', { name: 'SW-0417' })).toBeVisible()
  await judge(page, 'clock')
})
