import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { renderPage, success, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { UNCLAIMED } from './samples'
import { UnclaimedPage } from './UnclaimedPage'

serve()
configure({ defaultHidden: true })

let rows: readonly object[] = []
let sent: unknown[] = []
beforeEach(() => {
  reload()
  reportReached()
  layEvents()
  logInAs({ ...MIA, role: 'admin', companyId: 'c-0' })
  rows = UNCLAIMED
  sent = []
  server.use(
    http.get(url('/api/held-stamps'), () => HttpResponse.json([...rows])),
    http.get(url('/api/companies'), () => HttpResponse.json([{ id: 'c-1', name: 'Tischlerei Holm' }])),
  )
})

const release = (answer: () => Response) =>
  server.use(
    http.post(url('/api/held-stamps/release'), async ({ request }) => {
      sent.push(await request.json())
      return answer()
    }),
  )

const open = () => {
  wide()
  renderPage(<UnclaimedPage />)
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const ask = async () => {
  open()
  await press('Freigeben: SW-1177, 19. November, 07:58 Uhr')
  return within(await screen.findByRole('dialog', { name: 'Stempel der Uhr SW-1177 freigeben' }))
}
const choose = async (option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: 'Firma' }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

describe('stamps without a company', () => {
  it('that are refused say why', async () => {
    server.use(http.get(url('/api/held-stamps'), () => refusal(403, 'Dafür fehlt die Berechtigung.')))
    open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Die Stempel konnten nicht geladen werden.')
    expect(alert.textContent).toContain('Dafür fehlt die Berechtigung.')
  })

  it('that there are none of say so', async () => {
    rows = []
    open()
    expect(await screen.findByText('Kein Stempel wartet auf eine Firma.')).toBeTruthy()
  })

  it('say of which clock they are, when they were made and why they wait; what nobody can read as it came', async () => {
    open()
    const rowTexts = (await screen.findAllByRole('row')).map(row => row.textContent)
    expect(rowTexts[1]).toContain('SW-117719. November, 07:58 Uhr04A1B2C3D4E5F6Die Uhr gehörte niemandem')
    expect(rowTexts[3]).toContain('Die Zuordnung, die die Uhr nennt, galt da nicht')
    expect(rowTexts[4]).toContain('"seq":"siebzehn"')
    expect(screen.getAllByRole('link', { name: 'SW-1177' })[0]?.getAttribute('href')).toBe(
      '/?tab=registry&uhr=d-1',
    )
    expect(screen.getAllByRole('button', { name: /^Freigeben: / })).toHaveLength(3)
  })
})

describe('releasing them', () => {
  it('needs a company', async () => {
    release(() => HttpResponse.json({ released: 2 }))
    const dialog = await ask()
    await userEvent.click(dialog.getByRole('button', { name: 'Freigeben' }))
    expect(await dialog.findByText('Wähle eine Firma aus.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('begins with all that wait of the clock, whole minutes at both ends, and says how many went', async () => {
    release(() => {
      rows = UNCLAIMED.slice(2)
      return HttpResponse.json({ released: 2 })
    })
    const dialog = await ask()
    expect(dialog.getByText('Davon warten jetzt 2 Stempel.')).toBeTruthy()
    await choose('Tischlerei Holm')
    await userEvent.click(dialog.getByRole('button', { name: 'Freigeben' }))
    await success('2 Stempel freigegeben.')
    expect(sent).toEqual([
      {
        deviceId: 'd-1',
        companyId: 'c-1',
        from: '2026-11-19T06:58:00.000Z',
        to: '2026-11-19T15:31:59.999Z',
      },
    ])
    expect(screen.queryByText('SW-1177')).toBeNull()
  })

  it('that is refused says why, and all is there', async () => {
    const words = 'Für diese Zeit sind die Stempel schon einer anderen Firma freigegeben.'
    release(() => refusal(409, words))
    const dialog = await ask()
    await choose('Tischlerei Holm')
    await userEvent.click(dialog.getByRole('button', { name: 'Freigeben' }))
    expect(await dialog.findByText(words)).toBeTruthy()
    expect(dialog.getByText('Das Freigeben ist fehlgeschlagen.')).toBeTruthy()
  })
})
