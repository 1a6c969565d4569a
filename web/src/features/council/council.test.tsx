import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../tests/eventually'
import { renderPage, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload, type Session } from '../../api/session'
import { EmployeeArea } from '../../app/employee/EmployeeArea'
import { AccessLogPage } from './AccessLogPage'
import { PlanPage } from './PlanPage'
import { ACCOUNT, DUTIES, LOOKS, PEOPLE, TIMES } from './samples'
import { TimesPage } from './TimesPage'

serve()

const VERA: Session = { ...MIA, userId: 'u-9', username: 'Vera Rat', worksCouncil: true }

beforeEach(() => {
  localStorage.clear()
  reload()
  reportReached()
  wide()
})

const plain = (element: Element | null) => element?.textContent?.replaceAll('\u00a0', ' ')

function lay(times: () => Response = () => HttpResponse.json(TIMES)) {
  server.use(
    http.get(url('/api/companies/c-1/users'), () => HttpResponse.json(PEOPLE)),
    http.get(url('/api/users/u-1/times'), times),
    http.get(url('/api/users/u-1/account'), () => HttpResponse.json(ACCOUNT)),
    http.get(url('/api/companies/c-1/schedule'), () => HttpResponse.json([])),
  )
}

describe('the works council’s menu', () => {
  it('is nobody else’s', () => {
    logInAs(MIA)
    renderPage(<EmployeeArea />, '/dashboard?tab=nothing')
    expect(screen.queryByText('Betriebsrat')).toBeNull()
  })

  it('stands below the own pages, also after a reload', async () => {
    logInAs(VERA)
    reload()
    renderPage(<EmployeeArea />, '/dashboard?tab=nothing')
    expect(await screen.findByText('Betriebsrat')).toBeTruthy()
    const keys = screen.getAllByRole('link').map(link => link.getAttribute('href')?.split('tab=')[1])
    const theirs = ['present', 'review', 'council_times', 'council_plan', 'council_looks']
    expect(keys.filter(key => theirs.includes(key ?? ''))).toEqual(theirs)
  })
})

describe('somebody’s times', () => {
  it('that are refused say why', async () => {
    lay(() => refusal(403, 'Dafür fehlt die Berechtigung.'))
    renderPage(<TimesPage session={VERA} />, '/dashboard?tab=council_times&person=u-1&monat=2026-11')
    expect((await screen.findByRole('alert')).textContent).toContain('Dafür fehlt die Berechtigung.')
  })

  it('are read once a person is chosen, with the account and what is missing', async () => {
    lay()
    const { where } = renderPage(<TimesPage session={VERA} />, '/dashboard?tab=council_times&monat=2026-11')
    await userEvent.click(await screen.findByRole('combobox', { name: 'Person' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Mia Sommer' }))
    const table = await screen.findByRole('table', { name: 'Zeiten im November 2026' })
    expect(plain(table)).toContain('08:02 – fehlt')
    expect(screen.getByText('−151h 54m')).toBeTruthy()
    expect(where()).toContain('person=u-1')
  })
})

describe('the company’s duties', () => {
  it('of nobody say so', async () => {
    lay()
    renderPage(<PlanPage session={VERA} />, '/dashboard')
    expect(await screen.findByText('In diesem Monat ist niemand eingeteilt.')).toBeTruthy()
  })

  it('stand by day, with their times where they have any', async () => {
    server.use(http.get(url('/api/companies/c-1/schedule'), () => HttpResponse.json(DUTIES)))
    renderPage(<PlanPage session={VERA} />, '/dashboard?monat=2026-11')
    const table = await screen.findByRole('table')
    expect(plain(table)).toContain('Montag, 23. November 2026Jan Winter07:00–16:00Mia SommerDienst')
  })
})

describe('who looked at whose times', () => {
  it('says whose, or that it was everybody’s', async () => {
    server.use(http.get(url('/api/companies/c-1/access-log'), () => HttpResponse.json(LOOKS)))
    renderPage(<AccessLogPage session={VERA} />, '/dashboard')
    const table = await screen.findByRole('table', { name: 'Zugriffe' })
    expect(plain(table)).toContain('Ingrid HolmZeitenMia Sommer')
    expect(plain(table)).toContain('Ingrid HolmAnwesenheitdie ganze Firma')
  })

  it('is asked for between two days', async () => {
    const searches: string[] = []
    server.use(
      http.get(url('/api/companies/c-1/access-log'), ({ request }) => {
        searches.push(new URL(request.url).search)
        return HttpResponse.json([])
      }),
    )
    renderPage(<AccessLogPage session={VERA} />, '/dashboard')
    await screen.findByText('In dieser Zeit hat niemand Zeiten angesehen.')
    await userEvent.type(screen.getByLabelText('Von'), '01.11.2026{Tab}')
    await eventually(() => expect(searches.at(-1)).toBe('?from=2026-11-01'))
  })
})
