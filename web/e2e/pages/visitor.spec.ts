/** A visitor's ways: the links of every page, the navigation bar and the foot, and visits before the app has loaded. */
import { expectAt, fetchPages, heldBack, listened, open } from '../support/public'
import { resting } from '../support/rest'
import { REAL_SITE } from '../support/site'
import { enter, expect, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('every link of every page leads somewhere', async ({ page, service }) => {
  service.site = REAL_SITE
  const all = await fetchPages(page, service)
  const idsByPath = new Map(all.map(({ path, ids }) => [path, ids]))
  const nowhere: string[] = []
  for (const { path, links } of all) {
    for (const link of links) {
      if (/^(mailto:\S+@\S+|tel:\+\d+)$/.test(link)) continue
      const { origin, pathname, hash } = new URL(link, service.url + path)
      const ids = idsByPath.get(pathname)
      const opens = pathname === '/' && hash === '#konfigurator'
      const exists =
        ids !== undefined && (hash === '' || opens || ids.includes(decodeURIComponent(hash.slice(1))))
      if (link === '' || origin !== service.url || !exists) nowhere.push(`${path}: ${link}`)
    }
  }
  expect(nowhere).toEqual([])
  expect(all.every(({ links }) => links.length > 10)).toBe(true)
})

test('a part of the first page is reached by its address, by a link from elsewhere, and again', async ({
  page,
  service,
}) => {
  for (const part of ['kontakt', 'services', 'features', 'how', 'cta']) {
    await page.goto('about:blank')
    await open(page, service, `/#${part}`)
    await expectAt(page, part)
  }
  await open(page, service, '/ueber-uns')
  const way = page.getByRole('link', { name: 'Sprich mit uns' }).first()
  await way.click()
  await expect(page).toHaveURL(`${service.url}/#kontakt`)
  await expectAt(page, 'kontakt')
  // Once more, when its code has come already.
  await page.goBack()
  await way.click()
  await expectAt(page, 'kontakt')
  await page.getByRole('banner').getByRole('link', { name: 'Stempelwerk, zur Startseite' }).click()
  await page.getByRole('link', { name: 'So funktioniert es' }).click()
  await expect(page).toHaveURL(`${service.url}/#features`)
  await expectAt(page, 'features')
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByRole('link', { name: 'So funktioniert es' }).click()
  await expectAt(page, 'features')
})

test('a part of another page is reached by a link', async ({ page, service }) => {
  for (const visited of [false, true]) {
    await open(page, service, visited ? '/produkte' : '/')
    if (visited) await page.getByRole('link', { name: 'Stempelwerk, zur Startseite' }).click()
    await page.getByRole('link', { name: 'Sieh dir die Uhr von innen an' }).click()
    await expect(page).toHaveURL(`${service.url}/produkte#sicherheit`)
    await expectAt(page, 'sicherheit')
  }
  await open(page, service, '/datenschutz')
  await page
    .getByRole('link', { name: '12. Krankmeldungen' })
    .or(page.getByRole('link', { name: /Krankmeldungen$/ }))
    .first()
    .click()
  await expectAt(page, 'krankmeldungen')
})

test('the navigation bar is 64 px high, stays in sight, and leads to the six pages', async ({
  page,
  service,
}) => {
  const links = {
    Produkte: '/produkte',
    Services: '/services',
    Newsletter: '/newsletter',
    Shop: '/shop',
    'Über uns': '/ueber-uns',
    Kontakt: '/kontakt',
  }
  await open(page, service, '/')
  const bar = page.getByRole('banner')
  const nav = bar.getByRole('navigation', { name: 'Hauptnavigation' })
  await expect(nav.getByRole('link')).toHaveText(Object.keys(links))
  await expect(bar.getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  for (const [name, path] of Object.entries(links)) {
    await nav.getByRole('link', { name }).click()
    await expect(page).toHaveURL(service.url + path)
    await expect(nav.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    expect(await bar.boundingBox()).toMatchObject({ y: 0, height: 64 })
  }
  await bar.getByRole('link', { name: 'Stempelwerk, zur Startseite' }).click()
  await expect(page).toHaveURL(`${service.url}/`)
})

for (const [who, name, area] of [
  ['mia', 'Dashboard', '/dashboard'],
  ['chef', 'Company Dashboard', '/company-dashboard'],
  ['root', 'Admin Panel', '/admin'],
] as const) {
  test(`who is logged in finds the way to ${name} and out on a public page, and never sees the first page`, async ({
    page,
    service,
  }) => {
    await enter(page, `${service.url}/produkte`, who)
    const bar = page.getByRole('banner')
    await expect(bar.getByRole('link', { name, exact: true })).toHaveAttribute('href', area)
    await expect(bar.getByRole('button', { name: 'Logout' })).toBeVisible()
    await expect(bar.getByRole('button', { name: 'Login' })).toHaveCount(0)

    await page.addInitScript(() => {
      const marker = Object.assign(window, { glimpsed: false })
      const look = () => {
        const heading = document.querySelector('main h1')
        const landing = heading?.textContent?.includes('Chip dran.') === true
        if (heading && landing && getComputedStyle(heading).visibility === 'visible') marker.glimpsed = true
        requestAnimationFrame(look)
      }
      look()
    })
    const letGo = await heldBack(page)
    await page.goto(service.url, { waitUntil: 'commit' })
    await expect(page.locator('#root h1')).toBeAttached()
    await expect(page.locator('#root')).toBeHidden()
    letGo()
    await expect(page).toHaveURL(service.url + area)
    await expect(page.getByRole('main')).toBeVisible()
    expect(await page.evaluate(() => (window as unknown as { glimpsed: boolean }).glimpsed)).toBe(false)
  })
}

test('the foot leads to the contact form by a page of its own, to the imprint within the app', async ({
  page,
  service,
}) => {
  await open(page, service, '/')
  const foot = page.getByRole('contentinfo')
  await expect(foot).toContainText('© 2025')
  const stays = () => page.evaluate(() => 'mark' in window)
  await page.evaluate(() => Object.assign(window, { mark: true }))
  await foot.getByRole('link', { name: 'Impressum' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Impressum')
  expect(await stays()).toBe(true)
  await foot.getByRole('link', { name: 'Datenschutz' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Datenschutzerklärung')
  expect(await stays()).toBe(true)
  await foot.getByRole('link', { name: 'Kontakt' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kontakt')
  expect(await stays()).toBe(false)
})

test('a path that nobody knows is like the first page, for a visitor and for who is logged in', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/nirgends/wo`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('Chip dran. Gestempelt.')
  await expect(page).toHaveTitle(/^Stempelwerk: /)
  await enter(page, `${service.url}/nirgends/wo`, 'chef')
  await expect(page).toHaveURL(`${service.url}/company-dashboard`)
})

test('the title in the tab is that of the page, also without a load', async ({ page, service }) => {
  const titles = (await fetchPages(page, service)).map(({ path, title }) => [path, title])
  await open(page, service, '/')
  for (const [path = '', title = ''] of titles) {
    if (path === '/') continue
    await page
      .getByRole('link')
      .and(page.locator(`[href="${path}"]`))
      .first()
      .click()
    await expect(page).toHaveTitle(title)
  }
})

test.describe('before the app is there', () => {
  test('the press on Login is not lost, and opens one dialog', async ({ page, service }) => {
    const consoleErrors = listened(page)
    const settle = resting(page)
    const letGo = await heldBack(page)
    await page.goto(service.url, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('button', { name: 'Login' }).click()
    letGo()
    await expect(page.getByLabel('Firmenname')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    // And no press is made a second time.
    await settle()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(consoleErrors).toEqual([])
  })

  test('the press for an offer is not lost, and opens one dialog', async ({ page, service }) => {
    const letGo = await heldBack(page)
    await page.goto(service.url, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Angebot zusammenstellen' }).click()
    letGo()
    await expect(page.getByRole('dialog', { name: 'Angebot zusammenstellen' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
  })

  test('what was typed into the contact form stays, and its button is not lost', async ({
    page,
    service,
  }) => {
    service.site = REAL_SITE
    const consoleErrors = listened(page)
    const letGo = await heldBack(page)
    await page.goto(`${service.url}/kontakt`, { waitUntil: 'commit' })
    await page.getByPlaceholder('Ihr Name').fill('Mia Sommer')
    await page.getByPlaceholder('Ihre Nachricht').fill('Zwei Türen.')
    await page.getByRole('button', { name: 'Senden' }).click()
    letGo()
    await expect(page.getByText('Bitte gib deine E-Mail-Adresse an.')).toBeVisible()
    await expect(page.getByPlaceholder('Ihr Name')).toHaveValue('Mia Sommer')
    await expect(page.getByPlaceholder('Ihre Nachricht')).toHaveValue('Zwei Türen.')
    expect(consoleErrors).toEqual([])
  })
})

test('who was turned away and loads the page anew is still told why, and nothing is drawn anew', async ({
  page,
  service,
}) => {
  const consoleErrors = listened(page)
  await page.goto(`${service.url}/dashboard`)
  await expect(page.getByText('Bitte melde dich an, um weiterzumachen.')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('dialog', { name: 'Login' })).toBeVisible()
  expect(consoleErrors).toEqual([])
})
