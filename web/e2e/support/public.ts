/** The public pages, the nine of the documents and the checker of statements, and what a test of them asks for again and again. */
import { expect, type Page } from '@playwright/test'
import type { Service } from './service'

export const PATHS = [
  '/',
  '/produkte',
  '/services',
  '/newsletter',
  '/shop',
  '/ueber-uns',
  '/kontakt',
  '/impressum',
  '/datenschutz',
  '/pruefen',
] as const

/** Records the browser's errors and warnings about the page, except that the rays cannot be drawn. */
export function listened(page: Page): string[] {
  const consoleErrors: string[] = []
  page.on('pageerror', error => consoleErrors.push(`${page.url()}: ${error}`))
  page.on('console', message => {
    const rays = message.type() === 'warning' && message.text().startsWith('rays:')
    // The checker of statements asks for its worker, which these tests do without.
    const worker = message.text().includes('Service Worker registration blocked')
    if (['error', 'warning'].includes(message.type()) && !rays && !worker) {
      consoleErrors.push(`${page.url()}: ${message.text()}`)
    }
  })
  return consoleErrors
}

/** Waits until the app has taken the page over. */
export async function waitForHydration(page: Page) {
  await page.waitForFunction(() => {
    const root = document.querySelector('#root')
    const header = root?.querySelector('header') ?? {}
    return Object.keys(header).some(key => key.startsWith('__reactProps'))
  })
}

export async function open(page: Page, service: Service, path: string) {
  await page.goto(service.url + path)
  await waitForHydration(page)
}

/** Records requests other than for the page's own files: the returned function reports those so far. */
export function calls(page: Page): () => Promise<string[]> {
  const requests: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') || request.method() !== 'GET')
      requests.push(`${request.method()} ${pathname}`)
  })
  return async () => {
    // Earlier requests are known together with this one.
    await page.evaluate(() => fetch('/robots.txt'))
    return requests
  }
}

/** Holds the app's code back until it is released: the page shows what the service wrote. */
export async function heldBack(page: Page): Promise<() => void> {
  let letGo = () => {}
  const released = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route('**/assets/*.js', async route => {
    await released
    await route.continue()
  })
  return letGo
}

/** Where the page stands, once it has come to rest: the part's upper edge, just beneath the navigation bar. */
export async function expectAt(page: Page, id: string) {
  await expect
    .poll(
      () =>
        page.evaluate(part => {
          const top = document.getElementById(part)?.getBoundingClientRect().top ?? Number.NaN
          const end = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
          return (top >= 0 && top <= 140) || (end && top >= 0 && top < window.innerHeight)
        }, id),
      { message: `at #${id}` },
    )
    .toBe(true)
}

/** Every page as the service writes it, read by the browser. */
export async function fetchPages(page: Page, service: Service) {
  await page.goto(`${service.url}/robots.txt`)
  return page.evaluate(
    paths =>
      Promise.all(
        paths.map(async path => {
          const answer = await fetch(path)
          const document = new DOMParser().parseFromString(await answer.text(), 'text/html')
          const of = (select: string, name: string) =>
            document.querySelector(select)?.getAttribute(name) ?? ''
          const graph = (name: string) => of(`meta[property="og:${name}"]`, 'content')
          return {
            path: path as string,
            title: document.title,
            description: of('meta[name=description]', 'content'),
            canonical: of('link[rel=canonical]', 'href'),
            robots: of('meta[name=robots]', 'content'),
            graph: ['title', 'description', 'url', 'image'].map(graph),
            ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
            links: [...document.querySelectorAll('a')].map(link => link.getAttribute('href') ?? ''),
          }
        }),
      ),
    PATHS,
  )
}
