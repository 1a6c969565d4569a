/** The operator's clocks, on the real service: claimed by the code, replaced, and their unassigned stamps. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Cloud, FOUNDER } from '../support/cloud'
import { test } from '../support/installation'
import { judge } from '../support/judge'
import { expect, expectSaid } from '../support/test'

test.use({ serviceWorkers: 'block' })

const digest = (bytes: Uint8Array | string) => createHash('sha256').update(bytes)

function newKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, raw: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32) }
}
type Keys = ReturnType<typeof newKeys>

/** A request of a clock, signed as the contract requires. */
async function send({ url }: Cloud, { privateKey, raw }: Keys, path: string, said: object): Promise<unknown> {
  const uri = `${url}${path}`
  const body = JSON.stringify({ proto: 1, ...said })
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
  return answer.json()
}

/** A clock introduces itself; the code on its display. */
async function enrol(cloud: Cloud, serial: string, keys = newKeys()): Promise<string> {
  const answer = await send(cloud, keys, '/api/devices/enroll', {
    ...{ serial, mac: 'b8:27:eb:00:00:01', profile: 'core', version: '1.4.0' },
    ...{ hardwareId: serial, publicKey: keys.raw.toString('base64') },
  })
  return (answer as { claimCode: string }).claimCode
}

/** Delivers a tap of a minute ago from a clock without a company. */
async function deliverTap(cloud: Cloud, keys: Keys) {
  const stamp = {
    ...{ id: randomUUID(), seq: 1, assignment: null, tag: '04A1B2C3D4E5F6', direction: 'auto' },
    ...{ wall: new Date(Date.now() - 60_000).toISOString(), boot: randomUUID(), boottimeMs: 5_000 },
    ...{ quality: 'ntp', via: 'reader', shown: null },
  }
  const batch = { batch: randomUUID(), lease: 1, epoch: randomUUID(), previous: null, gone: [], anchors: [] }
  await send(cloud, keys, '/api/devices/stamps', { ...batch, stamps: [stamp] })
}

const dialog = (page: Page) => page.getByRole('dialog')
const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Geräte' }).getByRole('listitem').filter({ hasText: name })

async function choose(page: Page, label: string, words: string) {
  await dialog(page).getByRole('combobox', { name: label }).fill(words)
  await page.getByRole('option', { name: words }).click()
}

test('a new clock is claimed by its code, and replaced when it breaks', async ({ cloud, page }) => {
  const code = await enrol(cloud, 'SW-0417')
  await enrol(cloud, 'SW-0902')
  await cloud.enter(page, FOUNDER, '/admin?tab=registry')
  await expect(card(page, 'SW-0417').getByText(code)).toBeVisible()

  await page.getByRole('button', { name: 'Uhr mit Code zuordnen' }).click()
  await dialog(page).getByLabel('Code auf der Anzeige').fill(code.toLowerCase())
  await choose(page, 'Firma', cloud.firm.name)
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
  await expect(card(page, 'SW-0902').getByText(cloud.firm.name)).toBeVisible()

  await page.getByRole('link', { name: '„SW-0902“ ansehen' }).click()
  await expect(page.getByRole('link', { name: 'SW-0417' })).toBeVisible()
  await judge(page, 'clock')
})

test('what a clock has delivered while it was nobody’s is released to a company', async ({ cloud, page }) => {
  const keys = newKeys()
  await enrol(cloud, 'SW-1177', keys)
  await deliverTap(cloud, keys)
  await cloud.enter(page, FOUNDER, '/admin?tab=unclaimed')
  const menu = page.getByRole('navigation', { name: 'Plattform' })
  await expect(menu.getByRole('link', { name: /1 Stempel ohne Firma/ })).toBeVisible()
  await page.getByRole('button', { name: /^Freigeben: SW-1177, / }).click()
  await expect(dialog(page).getByText('Davon wartet jetzt 1 Stempel.')).toBeVisible()
  await choose(page, 'Firma', cloud.firm.name)
  await judge(page, 'release')
  await dialog(page).getByRole('button', { name: 'Freigeben' }).click()
  await expectSaid(page, '1 Stempel freigegeben.')
  await expect(page.getByText('Kein Stempel wartet auf eine Firma.')).toBeVisible()
})
