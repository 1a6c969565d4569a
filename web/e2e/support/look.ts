/** Looking at a page as it stands: at rest, within its window, and as a picture for whoever wants to see it. */
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'

/** Colours in the middle of a transition are no colours of ours. */
export async function still(page: Page) {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(animation => animation.finished.catch(() => null))),
  )
}

/** Nothing reaches beyond the window's right edge, and the page does not scroll sideways. */
export async function expectFits(page: Page, what: string) {
  const beyond = await page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    const hidden = (each: Element) => getComputedStyle(each).visibility === 'hidden'
    return [...document.querySelectorAll('body *')]
      .filter(each => each.getBoundingClientRect().right > edge + 0.5 && !hidden(each))
      .map(each => `${each.tagName} ${each.className}`)
  })
  expect(beyond, what).toEqual([])
}

/** Keeps a picture in the folder that `LOOK` names; without it, nothing. */
export async function look(page: Page, name: string) {
  const folder = process.env.LOOK
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
