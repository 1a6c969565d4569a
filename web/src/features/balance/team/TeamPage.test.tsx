import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../../tests/eventually'
import { renderPage, wide } from '../../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../../tests/server'
import { reportReached } from '../../../api/connectivity'
import { reload } from '../../../api/session'
import * as transfer from '../../../patterns/transfer'
import { TEAM } from '../samples'
import { type AccountRow, TeamPage } from './TeamPage'

serve()

const CHEF = { ...MIA, role: 'companyAdmin' as const }
let months: (string | null)[] = []
beforeEach(() => {
  reload()
  reportReached()
  logInAs(CHEF)
  wide()
  months = []
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T10:10:00Z') })
})

function open(answer: () => Response | readonly AccountRow[] = () => TEAM, modules: readonly string[] = []) {
  server.use(
    http.get(url('/api/companies/c-1/accounts'), ({ request }) => {
      months.push(new URL(request.url).searchParams.get('month'))
      const answered = answer()
      return answered instanceof Response ? answered : HttpResponse.json([...answered])
    }),
    http.get(url('/api/companies/c-1/features'), () =>
      HttpResponse.json(modules.map(key => ({ id: key, key, label: key }))),
    ),
  )
  return renderPage(<TeamPage session={CHEF} />, '/company-dashboard?tab=accounts')
}

const plain = (element: Element | null | undefined) => element?.textContent?.replaceAll('\u00a0', ' ')
const names = () => screen.getAllByRole('rowheader').map(cell => cell.textContent)
const sorted = async (head: string) =>
  userEvent.click(within(screen.getByRole('columnheader', { name: head })).getByRole('button'))

describe('everybody’s accounts', () => {
  it('that are refused say why', async () => {
    open(() => refusal(403, 'Dafür fehlt die Berechtigung.'))
    expect((await screen.findByRole('alert')).textContent).toContain('Dafür fehlt die Berechtigung.')
  })

  it('of nobody say so', async () => {
    open(() => [])
    expect(await screen.findByText('In deiner Firma hat noch niemand ein Zeitkonto.')).toBeTruthy()
  })

  it('stand by name, each with all its figures and what there is to look at', async () => {
    open()
    await screen.findByRole('table', { name: 'Zeitkonten im November 2026' })
    expect(names().slice(0, 4)).toEqual(['Bela Król', 'Jan Winter', 'Mia Sommer', 'Öznur Çelik'])
    const mia = screen.getByRole('rowheader', { name: 'Mia Sommer' }).closest('tr')
    expect(plain(mia)).toBe('Mia Sommer160h 00m120h 14m8h 00m−31h 46m+8h 14m8,5Gehen fehlt, Über 10 Stunden')
  })

  it('have their sums at the foot', async () => {
    open()
    await screen.findByRole('table')
    expect(plain(document.querySelector('tfoot'))).toBe('Summe480h 00m343h 09m24h 00m−112h 51m+7h 09m31,5')
  })

  it('are sorted by any figure, below nought too', async () => {
    open()
    await screen.findByRole('table')
    await sorted('Resturlaub')
    expect(names()[0]).toBe('Jan Winter')
    await sorted('Saldo')
    expect(names()[0]).toBe('Jan Winter')
    await sorted('Saldo')
    expect(names()[0]).toBe('Bela Król')
  })

  it('lead to a person only where the company has their page', async () => {
    open()
    await screen.findByRole('table')
    expect(screen.queryByRole('link', { name: 'Mia Sommer' })).toBeNull()
  })

  it('lead to the person', async () => {
    open(undefined, ['manage_employees'])
    const link = await screen.findByRole('link', { name: 'Mia Sommer' })
    expect(link.getAttribute('href')).toBe('/company-dashboard?tab=manage_employees&person=u-1')
  })

  it('are of another month with its name in the address', async () => {
    const { where } = open()
    await screen.findByRole('table')
    await userEvent.click(screen.getByRole('button', { name: 'Vorheriger Monat' }))
    await eventually(() => expect(months).toEqual(['2026-11', '2026-10']))
    expect(where()).toContain('monat=2026-10')
  })

  it('are taken along as they are seen, in hours', async () => {
    const saved = vi.spyOn(transfer, 'saveAs').mockImplementation(() => undefined)
    open()
    await userEvent.type(await screen.findByLabelText('Person suchen'), 'mia')
    await userEvent.click(screen.getByRole('button', { name: 'Als CSV' }))
    const [file, name] = saved.mock.calls[0] as [Blob, string]
    expect(name).toBe('Zeitkonten 2026-11.csv')
    expect((await file.text()).trim().split('\r\n')).toEqual([
      expect.stringContaining('Name;Soll;Ist;Gutschriften;Saldo;Saldo bis heute;Resturlaub;Hinweise'),
      'Mia Sommer;160;120,23;8;-31,77;8,23;8,5;"Gehen fehlt, Über 10\u00a0Stunden"',
    ])
  })
})
