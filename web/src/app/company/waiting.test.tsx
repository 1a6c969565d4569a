import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Events, layEvents } from '../../../tests/events'
import { renderRoutes } from '../../../tests/page'
import { auditAnswers, logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { routes } from '../routes'

vi.mock('../features', async () => {
  const { today } = await import('../../features/today/feature')
  const { present } = await import('../../features/present/feature')
  return { FEATURES: [present, today] }
})

let events: Events

serve()
beforeEach(() => {
  events = layEvents()
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  server.use(
    ...auditAnswers(),
    http.get(url('/api/companies/c-1/features'), () =>
      HttpResponse.json([{ id: 'f-1', key: 'present', label: 'Anwesende Mitarbeiter' }]),
    ),
  )
})

let requestCount: number
const dayIs = (day: () => Response) => {
  requestCount = 0
  server.use(
    http.get(url('/api/companies/c-1/today'), () => {
      requestCount += 1
      return day()
    }),
    http.get(url('/api/companies/c-1/attendance'), () => HttpResponse.json({ expected: [], unexpected: [] })),
    http.get(url('/api/companies/c-1/review'), () => HttpResponse.json([])),
  )
}
const side = async () => within(await screen.findByRole('navigation', { name: 'Verwaltung' }))

describe('Heute in the company’s menu', () => {
  it('is the first and the one that opens, with the groups’ headings', async () => {
    dayIs(() => HttpResponse.json({ waiting: { heldStamps: 0, review: 0 } }))
    renderRoutes(routes, '/company-dashboard')
    await screen.findByRole('heading', { level: 1, name: 'Heute' })
    const links = (await side()).getAllByRole('link').map(link => link.querySelector('.label')?.textContent)
    expect(links).toEqual(['Heute', 'Anwesende Mitarbeiter'])
    expect((await side()).getByText('Tag')).toBeTruthy()
  })

  it('says how many things wait, by the call that the page shows, and follows', async () => {
    let review = 1
    dayIs(() =>
      HttpResponse.json({ waiting: { heldStamps: 2, review, absences: 3, requests: 0, corrections: 1 } }),
    )
    renderRoutes(routes, '/company-dashboard?tab=present')
    expect(await (await side()).findByText('7 warten auf dich')).toBeTruthy()
    await waitFor(() => expect(events.open.length).toBe(1))
    review = 2
    act(() => events.open[0]?.say({ type: 'times_update' }))
    expect(await (await side()).findByText('8 warten auf dich')).toBeTruthy()
  })

  it('has no number while nothing waits, or nobody knows', async () => {
    dayIs(() => refusal(500, 'Gerade nicht.'))
    renderRoutes(routes, '/company-dashboard')
    await screen.findByText('Gerade nicht.')
    expect((await side()).queryByText(/auf dich/)).toBeNull()
    expect(requestCount).toBeGreaterThan(0)
  })
})
