/** The two forms of the public pages: the configurator over the landing page, and the contact form. */
import type { Page } from '@playwright/test'
import { calls, listened, open } from '../support/public'
import type { Asked, Laid, Service } from '../support/service'
import { REAL_SITE } from '../support/site'
import { expect, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const INQUIRIES = 'POST /api/inquiries'
const ACCEPTED: Laid = {
  status: 201,
  body: { id: 'i-1', kind: 'offer', createdAt: '2026-11-20T09:00:00Z', fields: {} },
}

const refused = (status: number, code: string, message: string, more: object = {}): Laid => ({
  status,
  headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '60' },
  body: { type: 'about:blank', title: code, status, detail: message, code, message, ...more },
})

const FULL = 'Gerade kommen zu viele Anfragen an. Bitte später noch einmal versuchen oder anrufen.'

/** An installation whose forms reach the operator, with the requests it got and its next answers. */
function reached(service: Service) {
  service.site = REAL_SITE
  const sentBodies: Asked['body'][] = []
  const answers: Laid[] = []
  service.acts.set(INQUIRIES, ({ body }) => {
    sentBodies.push(body)
    return answers.shift() ?? ACCEPTED
  })
  return { asked: sentBodies, answers }
}

async function openOffer(page: Page, service: Service) {
  await open(page, service, '/')
  const opener = page.getByRole('button', { name: 'Angebot zusammenstellen' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Angebot zusammenstellen' })
  await expect(dialog).toBeVisible()
  return {
    opener,
    dialog,
    count: dialog.getByLabel('Anzahl Uhren'),
    wall: dialog.getByRole('radio', { name: /Wand/ }),
    quickfix: dialog.getByRole('radio', { name: /QuickFix/ }),
    branding: dialog.getByRole('checkbox', { name: /Namen und Logo/ }),
    name: dialog.getByLabel('Name auf der Uhr'),
    logo: dialog.locator('input[type=file]'),
    basis: dialog.getByRole('radio', { name: /Basis/ }),
    premium: dialog.getByRole('radio', { name: /Premium/ }),
    cloud: dialog.getByRole('radio', { name: /Cloud/ }),
    local: dialog.getByRole('radio', { name: /eigenen Netz/ }),
    email: dialog.getByLabel('Deine E-Mail-Adresse'),
    summary: dialog.getByRole('region', { name: 'Dein Preis' }),
    cancel: dialog.getByRole('button', { name: 'Abbrechen' }),
    submit: dialog.getByRole('button', { name: 'Angebot anfordern' }),
  }
}

test('opened by its address, the configurator stands over the page that was written, and nothing is drawn anew', async ({
  page,
  service,
}) => {
  const consoleErrors = listened(page)
  await page.goto(`${service.url}/#konfigurator`)
  const dialog = page.getByRole('dialog', { name: 'Angebot zusammenstellen' })
  await expect(dialog.getByLabel('Anzahl Uhren')).toBeVisible()
  expect(consoleErrors).toEqual([])
  await dialog.getByLabel('Anzahl Uhren').fill('3')
  await dialog.getByRole('button', { name: 'Abbrechen' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(`${service.url}/`)
  // The typed text stays until the page is left.
  await page.getByRole('button', { name: 'Angebot zusammenstellen' }).click()
  await expect(dialog.getByLabel('Anzahl Uhren')).toHaveValue('3')
})

test('a logo that is no picture is said at its field, and nothing is sent', async ({ page, service }) => {
  const { asked } = reached(service)
  await page.goto(`${service.url}/#konfigurator`)
  const dialog = page.getByRole('dialog', { name: 'Angebot zusammenstellen' })
  await dialog.getByLabel(/Mit eigenem Namen/).check()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('x') })
  await dialog.getByLabel('Deine E-Mail-Adresse').fill('ina@ilm.example')
  await dialog.getByRole('button', { name: 'Angebot anfordern' }).click()
  await expect(dialog.getByText('Bitte wähle eine Datei mit .png, .jpg, .jpeg oder .svg.')).toBeVisible()
  expect(asked).toEqual([])
})

const logoFile = { name: 'holm.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }

test('the offer begins with one clock for the wall, without branding, with basic support, in the cloud', async ({
  page,
  service,
}) => {
  const offer = await openOffer(page, service)
  await expect(offer.count).toHaveValue('1')
  await expect(offer.count).toHaveAttribute('min', '1')
  for (const selected of [offer.wall, offer.basis, offer.cloud]) await expect(selected).toBeChecked()
  for (const unselected of [offer.quickfix, offer.premium, offer.local, offer.branding]) {
    await expect(unselected).not.toBeChecked()
  }
  await expect(offer.name).toHaveCount(0)
  await expect(offer.logo).toHaveCount(0)
  await offer.branding.check()
  await expect(offer.name).toBeVisible()
  await expect(offer.logo).toHaveAttribute('accept', '.png,.jpg,.jpeg,.svg')
  await offer.branding.uncheck()
  await expect(offer.name).toHaveCount(0)
})

test('the price is the documents’, and goes along with what is chosen', async ({ page, service }) => {
  const offer = await openOffer(page, service)
  const total = offer.summary.getByRole('definition').last()
  await expect(offer.dialog).toContainText('zzgl. MwSt.')
  for (const [choice, price] of [
    [offer.wall, '799 €'],
    [offer.quickfix, '839 €'],
    [offer.branding, '49 €'],
    [offer.premium, '149 €'],
    [offer.local, '0 €'],
    [offer.cloud, '15 €'],
  ] as const) {
    await expect(offer.dialog.getByText(price.replace(' ', '\u00a0')).first()).toBeVisible()
    await expect(choice).toHaveAccessibleName(new RegExp(`(^|\\D)${price.replace(' ', '\\s')}`))
  }
  await expect(total).toHaveText('799 €')
  await offer.quickfix.check()
  await expect(total).toHaveText('839 €')
  await offer.count.fill('12')
  await expect(total).toHaveText('10.068 €')
  await offer.branding.check()
  await expect(total).toHaveText('10.117 €')
  await offer.premium.check()
  await expect(total).toHaveText('10.266 €')
  // The summary names the cloud, which is no part of the total.
  await expect(offer.summary).toContainText('15 € im Monat')
  await offer.local.check()
  await expect(total).toHaveText('10.266 €')
  await expect(offer.summary).not.toContainText('15 €')
  await offer.wall.check()
  await offer.count.fill('3')
  await offer.branding.uncheck()
  await offer.basis.check()
  await offer.cloud.check()
  await expect(total).toHaveText('2.397 €')
})

test('the offer is left by Abbrechen, by the backdrop and by Escape, and the focus goes back', async ({
  page,
  service,
}) => {
  const { opener, dialog, cancel } = await openOffer(page, service)
  await cancel.click()
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.mouse.click(5, 400)
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  const requestButton = page.getByRole('button', { name: 'Jetzt Angebot anfordern' })
  await requestButton.click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(requestButton).toBeFocused()
})

test('the address of the offer opens it, and is gone with it', async ({ page, service }) => {
  const dialog = page.getByRole('dialog', { name: 'Angebot zusammenstellen' })
  await open(page, service, '/#konfigurator')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(`${service.url}/`)
  await open(page, service, '/produkte')
  await page.getByRole('link', { name: 'Angebot zusammenstellen' }).first().click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Abbrechen' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(`${service.url}/`)
})

test('where inquiries reach nobody, the offer says so, is a simulation, and sends nothing', async ({
  page,
  service,
}) => {
  const apiCalls = calls(page)
  const offer = await openOffer(page, service)
  await expect(offer.dialog).toContainText('Mit dem Knopf wird nichts gesendet')
  await expect(offer.email).toHaveCount(0)
  await offer.branding.check()
  await offer.logo.setInputFiles(logoFile)
  await offer.submit.click()
  await expect(page.getByText('Angebot angefordert! (Simulation)', { exact: true })).toBeVisible()
  await expect(offer.dialog).toHaveCount(0)
  await expect(offer.opener).toBeFocused()
  expect(await apiCalls()).toEqual([])
})

test('where they do, the offer needs an address to answer to, and is sent by the documents’ names', async ({
  page,
  service,
}) => {
  const consoleErrors = listened(page)
  const { asked } = reached(service)
  const offer = await openOffer(page, service)
  await expect(offer.dialog).not.toContainText('wird nichts gesendet')
  await offer.submit.click()
  await expect(offer.dialog).toContainText('Bitte gib eine E-Mail-Adresse an, an die wir antworten können.')
  await expect(offer.email).toBeFocused()
  expect(asked).toEqual([])
  await offer.count.fill('3')
  await offer.quickfix.check()
  await offer.branding.check()
  await offer.name.fill('Tischlerei Holm')
  await offer.logo.setInputFiles(logoFile)
  await offer.premium.check()
  await offer.local.check()
  await offer.email.fill('mia@straße.example')
  await offer.submit.click()
  await expect(page.getByText('Deine Anfrage ist da. Wir antworten an mia@straße.example.')).toBeVisible()
  await expect(offer.dialog).toHaveCount(0)
  await expect(page.getByText('(Simulation)')).toHaveCount(0)
  expect(asked).toEqual([
    {
      kind: 'offer',
      fields: {
        anzahl: 3,
        version: 'quickfix',
        branding: true,
        kundenname: 'Tischlerei Holm',
        logo: 'holm.svg',
        support: 'premium',
        hosting: 'local',
        email: 'mia@straße.example',
      },
    },
  ])
  expect(consoleErrors).toEqual([])
})

test('what the service says of an offer stands where it belongs, and nothing typed is lost', async ({
  page,
  service,
}) => {
  const { asked, answers } = reached(service)
  const wrong = 'Das ist keine E-Mail-Adresse.'
  answers.push(refused(422, 'invalid', 'Eingaben prüfen.', { errors: [{ field: 'email', message: wrong }] }))
  answers.push(refused(429, 'inquiries_full', FULL))
  const offer = await openOffer(page, service)
  await offer.count.fill('4')
  await offer.email.fill('mia@holm')
  await offer.submit.click()
  await expect(offer.email).toHaveAccessibleDescription(wrong)
  await expect(offer.email).toHaveAttribute('aria-invalid', 'true')
  await expect(offer.email).toBeFocused()
  await offer.submit.click()
  await expect(offer.dialog.getByRole('alert')).toContainText(FULL)
  await service.stop()
  await offer.submit.click()
  await expect(offer.dialog.getByRole('alert')).not.toContainText(FULL)
  await expect(offer.dialog.getByRole('alert')).toContainText('Server')
  await expect(offer.count).toHaveValue('4')
  await expect(offer.email).toHaveValue('mia@holm')
  await service.restart()
  await offer.submit.click()
  await expect(offer.dialog).toHaveCount(0)
  expect(asked).toHaveLength(3)
})

function contact(page: Page) {
  return {
    name: page.getByRole('textbox', { name: 'Name' }),
    email: page.getByRole('textbox', { name: 'E-Mail' }),
    message: page.getByRole('textbox', { name: 'Nachricht' }),
    send: page.getByRole('button', { name: 'Senden' }),
    note: page.getByText('Der Knopf sendet nichts.'),
  }
}

test('the contact form has the documents’ words and five rows; where it reaches nobody it says so and sends nothing', async ({
  page,
  service,
}) => {
  const apiCalls = calls(page)
  await open(page, service, '/kontakt')
  const form = contact(page)
  await expect(form.name).toHaveAttribute('placeholder', 'Ihr Name')
  await expect(form.email).toHaveAttribute('placeholder', 'Ihre E-Mail')
  await expect(form.email).toHaveAttribute('type', 'email')
  await expect(form.message).toHaveAttribute('placeholder', 'Ihre Nachricht')
  await expect(form.message).toHaveAttribute('rows', '5')
  await expect(form.note).toBeVisible()
  await form.name.fill('Mia')
  await form.email.fill('mia@holm.example')
  await form.message.fill('Zwei Türen.')
  await form.send.click()
  await form.name.press('Enter')
  await expect(form.message).toHaveValue('Zwei Türen.')
  await expect(page).toHaveURL(`${service.url}/kontakt`)
  expect(await apiCalls()).toEqual([])
})

for (const origin of ['by its address', 'from the shop'] as const) {
  test(`where it reaches somebody, the contact form opened ${origin} asks for what is missing and is sent once`, async ({
    page,
    service,
  }) => {
    const consoleErrors = listened(page)
    const { asked } = reached(service)
    if (origin === 'by its address') {
      await open(page, service, '/kontakt?produkt=core')
    } else {
      await open(page, service, '/shop')
      await page.getByRole('link', { name: 'Core: Anfragen' }).click()
    }
    const form = contact(page)
    await expect(form.message).toHaveValue(/Core/)
    await expect(form.note).toBeHidden()
    await form.message.fill('')
    await form.send.click()
    for (const [field, sentence] of [
      [form.name, 'Bitte gib deinen Namen an.'],
      [form.email, 'Bitte gib deine E-Mail-Adresse an.'],
      [form.message, 'Bitte schreib eine Nachricht.'],
    ] as const) {
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(sentence)
    }
    await expect(form.name).toBeFocused()
    expect(asked).toEqual([])
    await form.name.fill('Mia Sommer')
    await form.email.fill('mia@straße.example')
    await form.message.fill('Zwei Türen.\nWas kostet das?')
    await form.send.dblclick()
    await expect(page.getByText('Deine Nachricht ist da.')).toBeVisible()
    await expect(page.getByText('Wir antworten an mia@straße.example.')).toBeVisible()
    const fields = {
      name: 'Mia Sommer',
      email: 'mia@straße.example',
      nachricht: 'Zwei Türen.\nWas kostet das?',
    }
    expect(asked).toEqual([{ kind: 'contact', fields }])
    expect(consoleErrors).toEqual([])
  })
}

test('what the service says of a message stands where it belongs, and nothing typed is lost', async ({
  page,
  service,
}) => {
  const { asked, answers } = reached(service)
  const wrong = 'Das ist keine E-Mail-Adresse.'
  answers.push(refused(422, 'invalid', 'Eingaben prüfen.', { errors: [{ field: 'email', message: wrong }] }))
  answers.push(refused(429, 'inquiries_full', FULL))
  await open(page, service, '/kontakt')
  const form = contact(page)
  await form.name.fill('Mia Sommer')
  await form.email.fill('mia@holm')
  await form.message.fill('Zwei Türen.')
  await form.send.click()
  await expect(form.email).toHaveAccessibleDescription(wrong)
  await expect(form.email).toBeFocused()
  await form.send.click()
  await expect(page.getByRole('alert')).toContainText(FULL)
  await service.stop()
  await form.send.click()
  await expect(page.getByRole('alert')).not.toContainText(FULL)
  await expect(page.getByRole('alert')).toContainText('Server')
  await expect(form.name).toHaveValue('Mia Sommer')
  await expect(form.email).toHaveValue('mia@holm')
  await expect(form.message).toHaveValue('Zwei Türen.')
  await service.restart()
  await form.send.click()
  await expect(page.getByText('Deine Nachricht ist da.')).toBeVisible()
  expect(asked).toHaveLength(3)
})
