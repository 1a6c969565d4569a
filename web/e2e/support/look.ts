/** Looks at the current page: at rest, within its window, and as a picture if one is wanted. */
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'

/**
 * Waits until nothing moves any more: colours in the middle of a transition are not final. A pressed element may begin
 * to move, or go, a frame or two later. Endless and scroll-driven animations are not waited for.
 */
export async function still(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    // Chromium settles the end of what runs out of sight only with some later frame: its promise may never come.
    const moving = () =>
      document
        .getAnimations()
        .some(
          ({ playState, effect, timeline }) =>
            playState === 'running' &&
            timeline instanceof DocumentTimeline &&
            effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY,
        )
    for (let atRest = 0; atRest < 2; atRest = moving() ? 0 : atRest + 1) await frame()
  })
}

/**
 * Nothing reaches beyond the window's right edge, and no table beyond its frame, but what moves in a frame of its own; the
 * page does not scroll sideways.
 */
export async function expectFits(page: Page, what: string) {
  const beyond = await page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    const hidden = (each: Element) => getComputedStyle(each).visibility === 'hidden'
    const framed = (each: Element) => each.parentElement?.closest('[data-scrolls]') != null
    // A figure's table is for screen readers only: it is drawn as a dot, whatever it contains.
    const visibleRight = ({ tagName, parentElement: frame }: Element) =>
      tagName === 'TABLE' && frame !== null && frame.clientWidth > 1
        ? frame.getBoundingClientRect().right
        : undefined
    return [...document.querySelectorAll('body *')]
      .filter(
        each =>
          each.getBoundingClientRect().right > (visibleRight(each) ?? edge) + 0.5 &&
          !hidden(each) &&
          !framed(each),
      )
      .map(each => `${each.tagName} ${each.className}`)
  })
  expect(beyond, what).toEqual([])
}

/** Boxes of a table's rows are level with the labels of their rows. */
export async function expectLevel(page: Page, what: string) {
  const off = await page.evaluate(() => {
    const middle = (each: Element) => {
      const { top, height } = each.getBoundingClientRect()
      return top + height / 2
    }
    return [...document.querySelectorAll('tbody td:first-child input[type=checkbox]')]
      .map(box => [box, box.closest('tr')?.querySelector('th[scope=row]')] as const)
      .filter(([box, name]) => name && Math.abs(middle(box) - middle(name)) > 2)
      .map(([, name]) => name?.textContent)
  })
  expect(off, what).toEqual([])
}

/** Keeps a picture in the folder that `LOOK` names; without it, nothing. */
export async function look(page: Page, name: string) {
  const folder = process.env.LOOK
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** Every page in both colours and in every size; not in every pairing of them. */
export const LOOKS = [
  { size: 'desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { size: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { size: 'small', viewport: { width: 320, height: 640 }, colorScheme: 'light' },
] as const

/** The looks that axe checks: a narrower window shows it nothing new. */
export const AXE_LOOKS = LOOKS.filter(({ size }) => size !== 'small')
