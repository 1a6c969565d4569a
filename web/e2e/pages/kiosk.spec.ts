import type { Locator, Page } from '@playwright/test'
import type { Answer, View } from '../../src/kiosk/view'
import { expectAccessible, expectContrasts } from '../support/axe'
import { expect, holdTime, stopTheClock, test } from '../support/test'
import { answering, IDLE, STATES } from '../support/views'

const MARKS: Record<string, string> = {
  unassigned: '7K3MQX9P',
  'unassigned, no code': 'Der Code erscheint',
  'unassigned, a full disk': 'Die Uhr kann nicht speichern',
  adopting: 'in die Basis stecken',
  'adopting, some adopted': 'Aufgenommen',
  scanners: 'Scanner 1',
  'scanners, many': 'Scanner 6',
}

/** The page's own font, which its names are measured in. */
async function ownType(page: Page) {
  await page.evaluate(() => document.fonts.load('16px "Figtree Variable"'))
}

/** Each state is loaded freshly: waiting cannot distinguish two answers of one kind. */
async function show(page: Page, agent: { show: (view: View) => void }, name: string) {
  const view = STATES[name] as View
  agent.show({ ...IDLE, clockName: `vor ${name}` })
  await expect(page.getByText(`vor ${name}`)).toBeVisible()
  agent.show({ ...view, clockName: `Uhr ${name}` })
  if (view.answer === null) await expect(page.getByText(MARKS[name] ?? `Uhr ${name}`)).toBeVisible()
  else await expect(page.getByRole('main')).toHaveAttribute('data-kind', view.answer.kind)
}

const DISPLAYS = [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
]
/** No day is written longer. */
const LONGEST_DAY = new Date('2026-09-24T06:58:00Z')
const COLOURS = ['light', 'dark'] as const

for (const viewport of DISPLAYS) {
  test.describe(`${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport, hasTouch: true })

    test('every state fits, has targets of 64 px, and nothing for axe to find', async ({ page, agent }) => {
      await stopTheClock(page, LONGEST_DAY)
      await page.goto(agent.url)
      await ownType(page)
      for (const name of Object.keys(STATES)) {
        await show(page, agent, name)
        for (const colorScheme of COLOURS) {
          await page.emulateMedia({ colorScheme })
          const label = `${name}, ${colorScheme}`
          expect(await overflowing(page), label).toEqual([])
          expect(await covered(page), label).toEqual([])
          expect(await cut(page), label).toEqual([])
          expect(await small(page), label).toEqual([])
          const tiny = await page.getByRole('button').evaluateAll(targets =>
            targets
              .map(target => target.getBoundingClientRect())
              .filter(({ width, height }) => width < 64 || height < 64)
              .map(({ width, height }) => `${width} × ${height}`),
          )
          expect(tiny, label).toEqual([])
          // The larger display shows the same, only larger.
          if (viewport.width === 800)
            await (colorScheme === 'dark' ? expectContrasts : expectAccessible)(page, label)
        }
      }
    })
  })
}

/** Returns the elements that stick out of the display, or out of a box that cuts them off in height. */
async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('#root *')]
      .filter(element => {
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
        if (width <= 1 || height <= 1) return false
        return left < -7 || top < -7 || right > window.innerWidth + 7 || bottom > window.innerHeight + 7
      })
      .map(element => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
  )
}

/** Returns text that overlaps other text or a foreign box. A line counts only where its letters are. */
async function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = [...document.querySelectorAll('main *')]
    const texts = elements.flatMap(element =>
      [...element.childNodes]
        .filter(node => node.nodeType === 3 && node.textContent?.trim())
        .flatMap(node => {
          const range = document.createRange()
          range.selectNodeContents(node)
          const size = Number.parseFloat(getComputedStyle(element).fontSize)
          return [...range.getClientRects()].map(({ left, right, top, bottom }) => {
            const middle = (top + bottom) / 2
            return { element, left, right, top: middle - 0.36 * size, bottom: middle + 0.36 * size }
          })
        }),
    )
    const boxes = elements
      .filter(element => {
        const { backgroundColor, borderTopWidth, borderLeftWidth } = getComputedStyle(element)
        return backgroundColor !== 'rgba(0, 0, 0, 0)' || borderTopWidth !== '0px' || borderLeftWidth !== '0px'
      })
      .map(element => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        return { element, left, right, top, bottom }
      })
    return texts.flatMap((text, place) =>
      [...texts.slice(place + 1), ...boxes]
        .filter(other => other.element !== text.element && !other.element.contains(text.element))
        .filter(
          other =>
            Math.min(text.right, other.right) - Math.max(text.left, other.left) > 1 &&
            Math.min(text.bottom, other.bottom) - Math.max(text.top, other.top) > 1,
        )
        .map(other => `${text.element.textContent} / ${other.element.textContent}`),
    )
  })
}

/**
 * Returns text that cannot be read from two metres, in pixels of an 800 × 480 display. Less is enough where a person is
 * right in front to answer a question, and for the top line, which is for the clock's caretaker.
 */
async function small(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const unit = Math.min(window.innerWidth / 800, window.innerHeight / 480)
    const isQuestion = document.querySelector('main[data-question]') !== null
    return [...document.querySelectorAll('#root *:not(.visually-hidden)')]
      .filter(element =>
        [...element.childNodes].some(node => node.nodeType === 3 && node.textContent?.trim()),
      )
      .map(element => ({
        element,
        size: Number.parseFloat(getComputedStyle(element).fontSize) / unit,
        least: element.closest('header') ? 22 : isQuestion ? 26 : 32,
      }))
      .filter(({ size, least }) => size < least - 0.01)
      .map(({ element, size }) => `${size}: ${element.textContent}`)
  })
}

/** Text that is cut: by an ellipsis, or because it is wider or higher than its box; in answers, not in one line. */
async function cut(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(h1, p, dt, dd, time, output, button, span)')]
      .filter(element => {
        const { textOverflow, overflow, display } = getComputedStyle(element)
        const wide = display !== 'inline' && element.closest('main[data-kind]') !== null
        return (
          textOverflow === 'ellipsis' ||
          (wide && element.scrollWidth > element.clientWidth) ||
          (overflow !== 'visible' && element.scrollHeight > element.clientHeight)
        )
      })
      .map(element => `${element.tagName} ${element.textContent}`),
  )
}

/** Counts the lines of a text. */
async function lines(text: Locator): Promise<number> {
  return text.evaluate(element => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  })
}

for (const viewport of DISPLAYS) {
  test.describe(`answers at ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport, hasTouch: true })

    test('a name stands whole, on two lines at most', async ({ page, agent }) => {
      await page.goto(agent.url)
      await ownType(page)
      for (const [state, { answer }] of Object.entries(STATES)) {
        if (answer === null || answer.name === null || answer.kind === 'unknown') continue
        await show(page, agent, state)
        const name = page.getByRole('main').getByText(answer.name)
        await expect(name, state).toBeVisible()
        expect(await lines(name), state).toBeLessThanOrEqual(2)
      }
    })

    test('whatever a person is called, it is shown', async ({ page, agent }) => {
      await page.goto(agent.url)
      await ownType(page)
      const longest = 'Wolfram-Maximilian '.repeat(5).padEnd(99, 'W')
      const kinds: Partial<Answer>[] = [
        { kind: 'in' },
        { kind: 'in', warnings: ['short_rest'] },
        { kind: 'out', warnings: ['over_10_h'] },
        {
          kind: 'out',
          warnings: ['over_10_h', 'night'],
          limits: { shiftMinutes: 510, restMinutes: 720, night: ['20:00', '06:00'] },
        },
        { kind: 'in', openHandovers: 12, unreadMessages: 148 },
        { kind: 'in', unreadMessages: 148 },
        { kind: 'in', requested: true },
        { kind: 'double_tap' },
        { kind: 'not_saved' },
        { kind: 'out', question: 'direction', openSince: '2026-11-19T19:02:00.000Z' },
        { kind: 'in', question: 'gone', openSince: '2026-11-19T19:02:00.000Z' },
      ]
      for (const [key, members] of kinds.entries()) {
        agent.show(
          answering({ ...members, key: String(key), name: `${longest}${key}`, balanceMinutes: -60_025 }),
        )
        await expect(page.getByRole('main').getByText(`${longest}${key}`)).toBeVisible()
        const state = JSON.stringify(members)
        expect(await covered(page), state).toEqual([])
        expect(await cut(page), state).toEqual([])
        expect(await small(page), state).toEqual([])
        expect(await overflowing(page), state).toEqual([])
      }
    })

    test('a chip’s number breaks between its groups alone', async ({ page, agent }) => {
      await page.goto(agent.url)
      for (const digits of [8, 14, 20]) {
        await show(page, agent, `unknown, ${digits} digits`)
        const tag = STATES[`unknown, ${digits} digits`]?.answer?.tag ?? ''
        const number = page.getByRole('img', { name: tag })
        await expect(number).toBeVisible()
        expect(await lines(number), tag).toBeLessThanOrEqual(2)
        for (const group of await number.locator('span').all()) expect(await lines(group), tag).toBe(1)
      }
    })
  })
}

test('a question takes no side before it is answered', async ({ page, agent }) => {
  await page.goto(agent.url)
  const painted = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('#root *')].flatMap(element => {
        const { backgroundColor, color } = getComputedStyle(element)
        return [backgroundColor, color]
      }),
    )
  // Elements without a colour of their own: red, green and blue are close together.
  const coloured = (colour: string) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number)
    return alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 24
  }
  for (const colorScheme of COLOURS) {
    await page.emulateMedia({ colorScheme })
    await show(page, agent, 'in')
    expect((await painted()).some(coloured)).toBe(true)
    for (const state of ['direction', 'gone, came today', 'gone, came another day']) {
      await show(page, agent, state)
      await expect(page.getByRole('heading')).toHaveText(/\?$/)
      await expect(page.getByText('Mia Sommer', { exact: true })).toBeVisible()
      await expect(page.getByText(/Bis bald|Hallo/)).toHaveCount(0)
      expect((await painted()).filter(coloured), `${state}, ${colorScheme}`).toEqual([])
    }
  }
})

test.describe('at the clock', () => {
  test.use({ viewport: { width: 800, height: 480 }, hasTouch: true })

  test('a finger chooses, answers and types', async ({ page, agent }) => {
    await page.goto(agent.url)
    await page.getByRole('button', { name: 'Gehen' }).tap()
    await expect
      .poll(() => agent.posts)
      .toEqual([{ path: '/choice', body: { direction: 'out', after: 'a-0' } }])
    await show(page, agent, 'gone, came another day')
    await expect(page.getByText('Du bist am Donnerstag, 19. November, um 14:07 gekommen.')).toBeVisible()
    for (const key of ['1', '7', '0', '5']) await page.getByRole('button', { name: key, exact: true }).tap()
    await page.getByRole('button', { name: 'Fertig' }).tap()
    await expect
      .poll(() => agent.posts.at(-1))
      .toEqual({ path: '/answer', body: { stampId: 's-1', newEnd: '17:05' } })
  })

  test('an answer is told in one line, in a place that is there before it and after', async ({
    page,
    agent,
  }) => {
    await page.goto(agent.url)
    const statusLine = page.getByRole('status').first()
    await expect(statusLine).toHaveText('')
    const place = await statusLine.elementHandle()
    await show(page, agent, 'in, something waits')
    const line =
      'Mia Sommer: Kommen um 07:58 Uhr. Heute 0 Minuten. Saldo plus 4 Stunden 10 Minuten. 2 Übergaben warten auf deine Antwort. 1 neue Nachricht.'
    await expect(statusLine).toHaveText(line)
    await expect(page.getByRole('status')).toHaveCount(1)
    await show(page, agent, 'in, offline')
    await expect(statusLine).toHaveText(/^Mia Sommer: Kommen um 11:11 Uhr\. Heute 0 Minuten\./)
    agent.show(IDLE)
    await expect(statusLine).toHaveText('')
    expect(await place?.evaluate(element => element.isConnected)).toBe(true)
  })

  test('what is said about a missing Gehen is thanked for', async ({ page, agent }) => {
    await page.goto(agent.url)
    await show(page, agent, 'requested')
    const thanks = 'Danke. Deine Angabe geht als Korrekturantrag an die Verwaltung.'
    await expect(page.getByRole('main').getByText(thanks)).toBeVisible()
    await expect(page.getByRole('status')).toContainText(thanks)
  })

  test('an agent that is gone is said, and its return ends that', async ({ page, agent }) => {
    await page.goto(agent.url)
    await expect(page.getByText('Chip anhalten, fertig.')).toBeVisible()
    await agent.stop()
    await expect(page.getByText('Gleich geht es weiter')).toBeVisible()
    await agent.start()
    await expect(page.getByText('Chip anhalten, fertig.')).toBeVisible()
  })

  test('the time ticks by itself', async ({ page, agent }) => {
    await holdTime(page, new Date('2026-11-20T06:57:58Z'))
    await page.goto(agent.url)
    await expect(page.getByText('07:57')).toBeVisible()
    await page.clock.runFor(3_000)
    await expect(page.getByText('07:58')).toBeVisible()
  })
})

test('nothing moves under reduced motion', async ({ browser, agent, service }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'block' })
  const page = await context.newPage()
  for (const url of [agent.url, service.url]) {
    await page.goto(url)
    await expect(page.getByRole('main')).toBeVisible()
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap(element => {
        const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
        const durations =
          animationName === 'none' ? [transitionDuration] : [transitionDuration, animationDuration]
        return durations.filter(duration => duration.split(', ').some(part => Number.parseFloat(part) > 0))
      }),
    )
    expect(moving).toEqual([])
  }
  await context.close()
})
