/** A person's data erased, as an administrator does it: by keyboard, with a protocol that stays until it is left. */
import { PERSON } from '../../src/features/users/samples'
import { judge } from '../support/judge'
import { enter, expect, stopTheClock, test } from '../support/test'

test.use({ serviceWorkers: 'block' })

test('what is kept of a person goes with a protocol', async ({ page, service }) => {
  await stopTheClock(page)
  const module = { id: 'f-1', key: 'manage_employees', label: 'Mitarbeiter verwalten' }
  service.answers.set('GET /api/companies/c-1', { body: { id: 'c-1', name: 'Tischlerei Holm' } })
  service.answers.set('GET /api/companies/c-1/features', { body: [module] })
  service.answers.set('GET /api/companies/c-1/held-stamps', { body: [] })
  service.answers.set('GET /api/companies/c-1/users', {
    body: [{ id: 'u-4', username: 'Finn Maurer', role: 'user', tagId: null, isLocked: false }],
  })
  for (const [call, body] of Object.entries(PERSON)) service.answers.set(call, { body })
  service.answers.set('POST /api/users/u-4/erasure', {
    body: {
      erased: [
        { what: 'Dienste', count: 212 },
        { what: 'Nachrichten', count: 48 },
      ],
      kept: [
        {
          what: 'Zeiteinträge',
          count: 431,
          until: '2028-12-31',
          why: 'Aufzeichnung der Arbeitszeit und was auf ihr beruht (§ 16 Abs. 2 ArbZG, § 17 MiLoG): 2 Jahre über das Jahresende hinaus.',
        },
        { what: 'Änderungsprotokoll', count: 9, until: null, why: 'Nachweis von Entscheidungen (GoBD).' },
      ],
    },
  })
  await enter(page, `${service.url}/company-dashboard?tab=manage_employees&person=u-4&monat=2026-11`, 'chef')
  await page.getByRole('button', { name: 'Daten löschen' }).click()
  await judge(page, 'person-erase')
  await page.getByLabel('Grund').fill('Auf Wunsch der Person')
  await page.getByRole('button', { name: 'Endgültig löschen' }).click()
  await expect(page.getByRole('dialog', { name: 'Löschprotokoll: Finn Maurer' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Drucken' })).toBeFocused()
  await judge(page, 'person-erased')
  await page.getByRole('button', { name: 'Fertig' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
