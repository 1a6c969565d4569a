import { layOutCompany } from '../support/accounts'
import { enter, expect, fillIn, logIn, stopTheClock, TIMES, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

for (const [username, path, title] of [
  ['mia', '/dashboard', 'Meine Termine'],
  ['chef', '/company-dashboard', 'Heute'],
  ['root', '/admin', 'Firma anlegen'],
] as const) {
  test(`a login leads ${username} to ${path}, a reload stays there, and logout leaves nothing`, async ({
    page,
    service,
  }) => {
    layOutCompany(service)
    await logIn(page, service.url, username)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page).toHaveURL(`${service.url}${path}`)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    for (const otherPath of ['/dashboard', '/company-dashboard', '/admin', '/nowhere'].filter(
      each => each !== path,
    )) {
      await page.goto(service.url + otherPath)
      await expect(page).toHaveURL(`${service.url}${path}`)
    }
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(`${service.url}/`)
    // It goes once the service has taken the logout.
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
    await page.goto(service.url + path)
    await expect(page.getByText('Bitte melde dich an, um weiterzumachen.')).toBeVisible()
  })
}

test('a wrong password is said in the modal, and the next opening knows nothing of it', async ({
  page,
  service,
}) => {
  await page.goto(service.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, 'mia', 'falsch')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toHaveText('Firma, Benutzername oder Passwort ist falsch.')
  await page.mouse.click(20, 400)
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByLabel('Firmenname')).toHaveValue('')
  await expect(page.getByLabel('Benutzername')).toHaveValue('')
  await expect(page.getByLabel('Passwort', { exact: true })).toHaveValue('')
  await expect(dialog.getByRole('alert')).toBeHidden()
})

test('a service that is gone is said in the modal', async ({ page, service }) => {
  await page.goto(service.url)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByLabel('Firmenname').fill('x')
  await service.stop()
  await fillIn(page, 'mia')
  await expect(page.getByRole('alert')).toHaveText('Server nicht erreichbar')
})

test('a login that cannot be fetched says so, leaves the page as it is, and comes at the next try', async ({
  page,
  service,
}) => {
  const errors: Error[] = []
  page.on('pageerror', error => errors.push(error))
  const code = /assets\/(LoginDialog|Dialog)[^/]*\.(js|css)$/
  await page.route(code, route => route.abort())
  let prepared = false
  page.on('requestfailed', () => {
    prepared = true
  })
  await page.goto(service.url)
  // The first thing that a visitor does has it fetched.
  await expect
    .poll(async () => {
      await page.keyboard.press('Shift')
      return prepared
    })
    .toBe(true)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert')).toContainText('Server nicht erreichbar')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.unroute(code)
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByRole('dialog').getByLabel('Firmenname')).toBeFocused()
  const styles = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href))
  expect(styles.filter(href => code.test(href ?? '')).length).toBe(2)
  expect(errors).toEqual([])
})

test('by keyboard alone: the modal takes the focus, keeps it, and gives it back', async ({
  page,
  service,
}) => {
  const login = page.getByRole('button', { name: 'Login' })
  await page.goto(service.url)
  await expect(login).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Zum Inhalt springen' })).toBeFocused()
  for (let step = 0; step < 10 && !(await login.evaluate(it => it === document.activeElement)); step += 1) {
    await page.keyboard.press('Tab')
  }
  await expect(login).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Firmenname')).toBeFocused()
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab')
    expect(await page.getByRole('dialog').evaluate(it => it.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(login).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Firmenname')).toBeFocused()
  await page.keyboard.type('Tischlerei Holm')
  await page.keyboard.press('Tab')
  await page.keyboard.type('mia')
  await page.keyboard.press('Tab')
  await page.keyboard.type('geheim')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${service.url}/dashboard`)
})

test('the page that was asked for comes after the login', async ({ page, service }) => {
  await stopTheClock(page)
  await page.goto(`${service.url}/dashboard?tab=my_times&monat=2026-10`)
  await page.getByRole('button', { name: 'Login' }).click()
  await fillIn(page, 'mia')
  await expect(page.getByText('Im Oktober 2026 hast du nicht gestempelt.')).toBeVisible()
})

test('a session that ended sends home with a message, and logging out in one tab does so in all', async ({
  page,
  context,
  service,
}) => {
  await enter(page, service.url + TIMES)
  await expect(page.getByRole('heading', { name: 'Meine Zeiten' })).toBeVisible()
  const otherPage = await context.newPage()
  const last = ['companies/c-1', 'schedule/swap-requests'].map(path =>
    otherPage.waitForResponse(`**/api/${path}`),
  )
  await otherPage.goto(service.url + TIMES)
  await expect(otherPage.getByRole('heading', { name: 'Meine Zeiten' })).toBeVisible()
  await expect(otherPage.getByText('Aktualisiert sich von selbst')).toBeVisible()
  await Promise.all(last)
  // It must learn of the end from the first tab and not from the service.
  await otherPage.route('**/api/**', route => route.abort())
  service.validToken = 'token-2'
  service.tellUpdate()
  await expect(page.getByRole('alert')).toContainText('Nicht autorisiert. Bitte neu einloggen.')
  await expect(page).toHaveURL(`${service.url}/`)
  await expect(otherPage.getByText('Deine Sitzung wurde in einem anderen Fenster beendet.')).toBeVisible()
})
