/** Every public page: as it is written, as it looks, and where its links lead. */
import type { Page } from '@playwright/test'
import { judge } from '../support/judge'
import { AXE_LOOKS, expectFits, look } from '../support/look'
import { fetchPages, listened, open, PATHS } from '../support/public'
import { REAL_SITE, SITE } from '../support/site'
import { expect, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

const HEADINGS: Record<(typeof PATHS)[number], string> = {
  '/': 'Chip dran. Gestempelt.',
  '/produkte': 'Die Uhr, die ja meint, wenn sie ja sagt.',
  '/services': 'Wir gehen erst, wenn es von allein läuft.',
  '/newsletter': 'Updates',
  '/shop': 'Shop',
  '/ueber-uns': 'Wir mögen Uhren, denen man glaubt.',
  '/kontakt': 'Kontakt',
  '/impressum': 'Impressum',
  '/datenschutz': 'Datenschutzerklärung',
  '/pruefen': 'Nachweis prüfen',
}

/** Returns the text that a person reads, and its structure. */
async function expectWellFormed(page: Page, path: (typeof PATHS)[number]) {
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveAccessibleName(HEADINGS[path])
  await expect(heading).toBeVisible()
  const { lang, straight, levels, left } = await page.evaluate(() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const straight: string[] = []
    while (words.nextNode()) {
      const { parentElement, textContent } = words.currentNode
      if (parentElement?.closest('script, style, noscript') === null && textContent?.includes('"')) {
        straight.push(textContent)
      }
    }
    return {
      lang: document.documentElement.lang,
      straight,
      levels: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) =>
        Number(tagName[1]),
      ),
      left: document.documentElement.outerHTML.includes('⟦'),
    }
  })
  expect(lang, path).toBe('de')
  expect(straight, path).toEqual([])
  expect(left, path).toBe(false)
  expect(levels[0], path).toBe(1)
  expect(
    levels.filter(level => level === 1),
    path,
  ).toEqual([1])
  expect(
    levels.filter((level, place) => level > (levels[place - 1] ?? 0) + 1),
    `${path}: ${levels}`,
  ).toEqual([])
}

/** Parts that open on a press and are checked as well. */
const OPENED: Partial<Record<(typeof PATHS)[number], (page: Page) => Promise<void>>> = {
  '/': async page => {
    await page.getByRole('button', { name: 'Angebot zusammenstellen' }).click()
    await expect(page.getByRole('dialog')).toContainText('zzgl. MwSt.')
    await page.getByRole('checkbox', { name: /^Mit eigenem Namen/ }).check()
  },
  '/produkte': async page => {
    await page.getByRole('button', { name: 'SD-Karte' }).click()
    await expect(page.getByAltText('Die Stempeluhr im abgesicherten Zustand')).toBeVisible()
  },
  '/shop': async page => {
    // Long enough to be looked at.
    await page.evaluate(() => {
      const real = window.setTimeout
      Object.assign(window, {
        setTimeout: (act: () => void, ms: number) => real(act, ms === 1800 ? 1e6 : ms),
      })
    })
    await page.getByRole('button', { name: 'Core: In den Warenkorb' }).click()
    await expect(page.getByText('Zum Warenkorb hinzugefügt')).toBeVisible()
  },
}

test('every page is well formed, silent, accessible, and fits, whoever runs it and before anybody has said who does', async ({
  page,
  service,
}) => {
  service.answers.set('GET /.well-known/stempelwerk-keys.json', { body: { keys: [] } })
  const consoleErrors = listened(page)
  for (const path of PATHS) {
    let previousContent = ''
    for (const site of [REAL_SITE, SITE]) {
      service.site = site
      await open(page, service, path)
      await expectWellFormed(page, path)
      const content = await page.getByRole('main').innerHTML()
      if (content === previousContent) continue
      previousContent = content
      const name = `public-${path === '/' ? 'landing' : path.slice(1)}${site.complete ? '' : '-unsaid'}`
      await judge(page, name, () => expectWellFormed(page, path))
      const opened = OPENED[path]
      if (opened === undefined) continue
      await opened(page)
      await judge(page, `${name}-opened`)
    }
  }
  expect(consoleErrors).toEqual([])
})

test('a page that is not as the service wrote it would be noticed', async ({ page, service }) => {
  const consoleErrors = listened(page)
  await page.route(`${service.url}/services`, async route => {
    const html = await (await route.fetch()).text()
    await route.fulfill({
      contentType: 'text/html',
      body: html.replace('Nimm, was du brauchst.', 'Nimm nichts.'),
    })
  })
  await page.goto(`${service.url}/services`)
  await expect(page.getByText('Nimm, was du brauchst.')).toBeVisible()
  await expect.poll(() => consoleErrors.join()).toContain('#418')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('every page has its heading, its content and the ways to the others', async ({ page, service }) => {
    service.site = REAL_SITE
    const content: Record<(typeof PATHS)[number], () => Promise<void>> = {
      '/': async () => {
        for (const question of await page.locator('details').all()) {
          await question.locator('summary').click()
          await expect(question.locator('p')).toBeVisible()
        }
        await expect(page.locator('details[open]')).toHaveCount(7)
        await expect(page.getByRole('heading', { level: 2 })).toHaveCount(9)
      },
      '/produkte': async () => {
        for (const spot of ['Stromversorgung', 'USB und HDMI', 'Display und Web', 'SD-Karte']) {
          const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: spot }) })
          await expect(item.getByRole('paragraph')).toBeVisible()
        }
        await expect(page.getByRole('heading', { level: 3 })).toHaveCount(10)
        await expect(page.getByText('Bestätigt wird erst, was dauerhaft gespeichert ist.')).toBeVisible()
      },
      '/services': async () => {
        for (const step of ['Kickoff', 'Setup', 'Pilot', 'Rollout']) {
          await expect(page.getByRole('heading', { name: step, exact: true })).toBeVisible()
        }
        await expect(page.getByRole('heading', { level: 3 })).toHaveCount(10)
      },
      '/newsletter': async () => {
        const versions = ['v1.6.0', 'v1.5.0', 'v1.4.1', 'v1.4.0', 'v1.3.0', 'v1.2.0', 'v1.1.0', 'v1.0.0']
        const days = [
          '26. November 2026',
          '25. November 2026',
          '28. September 2025',
          '16. September 2025',
          '24. August 2025',
          '22. August 2025',
          '19. August 2025',
          '15. August 2025',
        ]
        const items = page
          .getByRole('main')
          .getByRole('listitem')
          .filter({ has: page.getByRole('time') })
        await expect(items).toHaveCount(versions.length)
        for (const [place, version] of versions.entries()) {
          await expect(items.nth(place)).toContainText(version)
          await expect(items.nth(place)).toContainText(days[place] as string)
          expect(await items.nth(place).getByRole('listitem').count()).toBeGreaterThan(0)
        }
      },
      '/shop': async () => {
        const names = 'Core Go TempWizard Tagger Hub Dock PowerDock Mini Beacon'.split(' ')
        await expect(page.getByRole('heading', { level: 2 })).toHaveText(names)
        for (const name of names) await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
      },
      '/ueber-uns': async () => {
        await expect(page.getByRole('heading', { level: 3 })).toHaveCount(4 + 4 + 3)
        await expect(page.getByRole('definition')).toHaveCount(6)
      },
      '/kontakt': async () => {
        await page.getByPlaceholder('Ihre Nachricht').fill('Zwei Türen.')
        await page.getByRole('button', { name: 'Senden' }).click()
        await expect(page.getByPlaceholder('Ihre Nachricht')).toHaveValue('Zwei Türen.')
        await expect(page).toHaveURL(`${service.url}/kontakt`)
        await expect(page.getByRole('link', { name: REAL_SITE.operator.email.text })).toBeVisible()
        await expect(page.getByRole('link', { name: REAL_SITE.operator.phone.text })).toBeVisible()
      },
      '/impressum': async () => {
        for (const part of ['name', 'street', 'city', 'email', 'phone'] as const) {
          await expect(page.getByRole('main').getByText(REAL_SITE.operator[part].text).first()).toBeVisible()
        }
        await expect(page.getByText('Stand: 20. November 2026')).toBeVisible()
      },
      '/datenschutz': async () => {
        await expect(page.getByRole('heading', { level: 2 })).toHaveText(
          Array.from({ length: 25 }, (_, index) => new RegExp(`^${index + 1}\\. \\S`)),
        )
        for (const heading of await page.getByRole('heading', { level: 2 }).all()) {
          await expect(heading).toBeVisible()
        }
      },
      '/pruefen': async () => {
        await expect(page.getByRole('main').getByRole('paragraph').first()).toBeVisible()
      },
    }
    for (const path of PATHS) {
      await page.goto(service.url + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('banner').getByRole('link', { name: 'Über uns' })).toBeVisible()
      await expect(page.getByText('braucht JavaScript')).toHaveCount(0)
      await content[path]()
    }
  })

  test('on a phone, too, a page has the ways to the others', async ({ page, service }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${service.url}/shop`)
    await look(page, 'public-shop-without-javascript')
    await expectFits(page, '/shop')
    await page.getByRole('banner').getByRole('link', { name: 'Über uns' }).click()
    await expect(page).toHaveURL(`${service.url}/ueber-uns`)
  })
})

test('every page has a title, a description and an address of its own, and says them to whom it is sent', async ({
  page,
  service,
}) => {
  service.site = REAL_SITE
  const all = await fetchPages(page, service)
  const { origin } = REAL_SITE
  for (const { path, title, description, canonical, robots, graph } of all) {
    expect(title, path).toContain('Stempelwerk')
    expect(description.length, path).toBeGreaterThan(30)
    expect(canonical).toBe(origin + path)
    expect(robots, path).not.toContain('noindex')
    const card = `${origin}/cards/${path === '/' ? 'index' : path.slice(1)}.jpg`
    expect(graph).toEqual([title, description, canonical, card])
  }
  for (const field of ['title', 'description', 'canonical'] as const) {
    expect(new Set(all.map(each => each[field])).size, field).toBe(PATHS.length)
  }
})

test('the picture that every page is sent with is there', async ({ page, service }) => {
  for (const { path, graph } of await fetchPages(page, service)) {
    const cardAnswer = await page.evaluate(
      async card => {
        const answer = await fetch(card)
        if (!answer.ok) return answer.status
        const { width, height } = await createImageBitmap(await answer.blob())
        return { type: answer.headers.get('Content-Type'), width, height }
      },
      new URL(graph[3] ?? '').pathname,
    )
    expect(cardAnswer, `the card of ${path}`).toEqual({ type: 'image/jpeg', width: 1200, height: 630 })
  }
})

test('the map for search engines names all pages, and what is no page is not searched', async ({
  page,
  service,
}) => {
  const map = await (await page.request.get(`${service.url}/sitemap.xml`)).text()
  const mapPaths = [...map.matchAll(/<loc>(?:⟦origin⟧|https?:\/\/[^/]+)(\/[^<]*)<\/loc>/g)].map(
    ([, path]) => path,
  )
  expect(mapPaths).toEqual([...PATHS])
  expect(map.match(/<loc>/g)).toHaveLength(PATHS.length)
  const robots = await (await page.request.get(`${service.url}/robots.txt`)).text()
  for (const line of ['User-agent: *', 'Disallow: /api/', 'Disallow: /dashboard', 'Disallow: /admin']) {
    expect(robots.split('\n')).toContain(line)
  }
  expect(robots).toMatch(/^Sitemap: \S+\/sitemap\.xml$/m)
  expect(robots).not.toMatch(/^Disallow: \/$/m)
})

/** Measures how far visible content has shifted without input, from the first paint to the page's end and back. */
async function shifted(page: Page, act = () => {}): Promise<number> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const bottom = document.documentElement.scrollHeight
    for (const top of [...Array(Math.ceil(bottom / window.innerHeight)).keys(), 0]) {
      window.scrollTo({ top: top * window.innerHeight, behavior: 'instant' })
      for (let frames = 0; frames < 3; frames += 1) await frame()
    }
  })
  await page.evaluate(act)
  return page.evaluate(async () => {
    // A frame's shift is known with the next frame.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame)
    return (window as unknown as { shift: () => number }).shift()
  })
}

for (const { size, viewport } of AXE_LOOKS) {
  test(`nothing moves by itself on a ${size}, once its type has come`, async ({ page, service }) => {
    await page.setViewportSize(viewport)
    await page.addInitScript(() => {
      let shift = 0
      const note = (entries: PerformanceEntryList) => {
        for (const entry of entries as unknown as { value: number; hadRecentInput: boolean }[]) {
          if (!entry.hadRecentInput) shift += entry.value
        }
      }
      const observer = new PerformanceObserver(list => note(list.getEntries()))
      observer.observe({ type: 'layout-shift', buffered: true })
      Object.assign(window, {
        shift: () => {
          note(observer.takeRecords())
          return shift
        },
      })
    })
    await open(page, service, '/impressum')
    await page.evaluate(async () => void (await document.fonts.ready))
    for (const path of PATHS) {
      await open(page, service, path)
      expect(await shifted(page), path).toBeLessThan(0.01)
    }
    const moved = await shifted(page, () => {
      document.querySelector('main')?.style.setProperty('padding-top', '90px')
    })
    expect(moved, 'what moves is noticed').toBeGreaterThan(0.01)
  })
}

/** The words that the documents fix, in their places. The configurator's and the toast's have their own tests. */
const FIXED: readonly (readonly [(typeof PATHS)[number], ...string[]])[] = [
  [
    '/',
    ...['Produkte', 'Services', 'Newsletter', 'Shop', 'Über uns', 'Kontakt', 'Login', '© 2025'],
    ...['92 %', '< 30 s', '100 %', 'CSV/Excel-kompatibel', 'Offline-Fallback', 'Rollen und Freigaben'],
    'Saubere Exporte',
  ],
  ['/impressum', 'In Gründung / Daten werden ergänzt', 'Stand'],
  ['/kontakt', 'Name', 'E-Mail', 'Nachricht', 'Senden'],
  ['/shop', 'In den Warenkorb', 'Anfragen', 'Preis auf Anfrage', 'Main Line', 'Helpers', 'Add-ons'],
  ['/newsletter', 'Updates'],
]

test('the words that the documents fix stand where they belong', async ({ page, service }) => {
  for (const [path, ...words] of FIXED) {
    await open(page, service, path)
    // The content of another tab of the shop appears here as well.
    if (path === '/shop') await page.getByRole('tab', { name: 'Helpers' }).click()
    for (const word of words) {
      await expect(page.getByText(word).filter({ visible: true }).first(), `${path}: ${word}`).toBeVisible()
    }
  }
  service.site = REAL_SITE
  await open(page, service, '/impressum')
  await expect(page.getByText('In Gründung / Daten werden ergänzt')).toBeHidden()
})
