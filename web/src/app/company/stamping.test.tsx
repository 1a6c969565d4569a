import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../../tests/events'
import { renderRoutes } from '../../../tests/page'
import { accountAnswers, auditAnswers, logInAs, MIA, serve, server, url } from '../../../tests/server'
import { reload } from '../../api/session'
import { routes } from '../routes'

vi.mock('../features', async () => {
  const { account } = await import('../../features/account/feature')
  const { times } = await import('../../features/times/feature')
  const { balance } = await import('../../features/balance/feature')
  return { FEATURES: [times, balance, account] }
})

serve()
beforeEach(() => {
  layEvents()
  reload()
  logInAs({ ...MIA, role: 'companyAdmin' })
  server.use(
    ...accountAnswers(),
    ...auditAnswers(),
    http.get(url('/api/companies/c-1/features'), () => HttpResponse.json([])),
  )
})

const holds = (tagId: string | null) =>
  server.use(
    http.get(url('/api/companies/c-1/users'), () =>
      HttpResponse.json([{ id: MIA.userId, username: MIA.username, role: 'companyAdmin', tagId }]),
    ),
  )
const side = async () => within(await screen.findByRole('navigation', { name: 'Verwaltung' }))

describe('an administrator’s own times', () => {
  it('stand in the menu of who holds a tag', async () => {
    holds('04A1B2C3')
    renderRoutes(routes, '/company-dashboard?tab=login')
    expect(await (await side()).findByRole('link', { name: /Meine Zeiten/ })).toBeDefined()
    expect((await side()).getByRole('link', { name: /Zeitkonto/ })).toBeDefined()
  })

  it('do not stand in the menu of who holds none', async () => {
    holds(null)
    renderRoutes(routes, '/company-dashboard?tab=login')
    await (await side()).findByRole('link', { name: /Login & Passwort/ })
    expect((await side()).queryByRole('link', { name: /Meine Zeiten/ })).toBeNull()
  })
})
