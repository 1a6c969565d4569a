/** Waits for what a device must have before the service goes away. */
import { expect, type Page } from '@playwright/test'

/** The app itself: until then the dialogs' code would still need the service. */
export async function installed(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

/** Waits until these snapshots are stored for reading offline, by name. */
export async function keeps(page: Page, ...names: string[]) {
  await expect.poll(() => storedKeys(page)).toEqual(expect.arrayContaining(names))
}

export const storedKeys = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('stempelwerk')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const asking = opening.result.transaction('snapshots').objectStore('snapshots').getAllKeys()
          asking.onsuccess = () => resolve(asking.result.map(key => String((key as string[])[1])))
        }
      }),
  )
