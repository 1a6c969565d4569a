import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { fill, renderPage, success } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { DevicesPage } from './DevicesPage'
import { ALARMS, DEVICES, device } from './samples'
import type { Device } from './useDevices'

serve()

let sent: { id: unknown; body: unknown }[] = []
beforeEach(() => {
  reload()
  reportReached()
  logInAs({ ...MIA, role: 'companyAdmin' })
  sent = []
  layEvents()
})

function lay(answer: () => Response | readonly Device[] = () => DEVICES, put?: () => Response) {
  server.use(
    http.get(url('/api/companies/c-1/clocks'), () => {
      const answered = answer()
      return answered instanceof Response ? answered : HttpResponse.json([...answered])
    }),
    http.put(url('/api/devices/:id'), async ({ params, request }) => {
      sent.push({ id: params.id, body: await request.json() })
      return put?.() ?? HttpResponse.json(DEVICES[0])
    }),
  )
  renderPage(<DevicesPage companyId="c-1" />)
  return userEvent.setup()
}

const cards = () => within(screen.getByRole('list', { name: 'Geräte' })).getAllByRole('listitem')
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the clocks', () => {
  it('that are refused say why', async () => {
    lay(() => refusal(403, 'Dieses Modul ist nicht freigeschaltet.'))
    expect((await screen.findByRole('alert')).textContent).toContain('Dieses Modul ist nicht freigeschaltet.')
  })

  it('have their open alarms above them', async () => {
    server.use(http.get(url('/api/alarms'), () => HttpResponse.json(ALARMS)))
    lay()
    expect(await screen.findByText('meldet sich nicht')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Alarme einstellen' })).toBeTruthy()
  })

  it('choose mails of what their company can do something about', async () => {
    const changed: unknown[] = []
    const settings = { mail: true, quietFrom: null, quietTo: null, kinds: ['silent', 'storage'] }
    server.use(
      http.get(url('/api/alarms'), () => HttpResponse.json(ALARMS)),
      http.get(url('/api/alarm-settings'), () => HttpResponse.json(settings)),
      http.put(url('/api/alarm-settings'), async ({ request }) => {
        changed.push(await request.json())
        return HttpResponse.json(settings)
      }),
    )
    lay()
    await press('Alarme einstellen')
    const form = within(await screen.findByRole('dialog'))
    expect(form.queryByLabelText('Zertifikat des Servers läuft ab')).toBeNull()
    expect(form.queryByLabelText('Version veraltet')).toBeNull()
    await userEvent.click(await form.findByLabelText('Uhr gibt es zweimal'))
    await userEvent.click(form.getByRole('button', { name: 'Speichern' }))
    await eventually(() => expect(changed).toEqual([{ ...settings, kinds: ['silent', 'storage', 'fork'] }]))
  })

  it('that there are none of says who gives them', async () => {
    lay(() => [])
    expect(await screen.findByText(/noch kein Gerät zugeordnet/)).toBeTruthy()
  })

  it('each say how they are, also where little is known', async () => {
    lay()
    await screen.findByRole('list', { name: 'Geräte' })
    const [well, ill, fresh] = cards().map(card => card.textContent)
    expect(well).toContain('online')
    expect(well).toContain('20. November, 11:09 Uhr')
    expect(well).toContain('Noch nicht gesendetnichts')
    expect(ill).toContain('offline')
    expect(ill).toContain('12 Stempel')
    expect(ill).toContain('Lesernicht da')
    expect(ill).toContain('Diese Uhr gibt es zweimal')
    expect(fresh).toContain('SW-1177')
    expect(fresh).toContain('noch nie')
  })

  it('are found by name, note, serial and address', async () => {
    const user = lay()
    const search = await screen.findByLabelText('Gerät suchen')
    for (const [words, count] of [
      ['pförtner', 1],
      ['sw-', 3],
      ['192.168', 1],
    ] as const) {
      await user.clear(search)
      await user.type(search, words)
      expect(cards(), words).toHaveLength(count)
    }
    await user.type(search, 'zzz')
    expect(screen.getByText('Kein Gerät passt dazu.')).toBeTruthy()
  })

  it('are asked for again by themselves', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    let online = false
    lay(() => [device('d-1', { online })])
    await eventually(() => expect(screen.getByText('offline')).toBeTruthy())
    online = true
    await act(() => vi.advanceTimersByTimeAsync(15_000))
    await eventually(() => expect(screen.getByText('online')).toBeTruthy())
  })
})

describe('name and notes', () => {
  it('are sent without their blanks, and it is said', async () => {
    lay()
    await press('„Werkstatt am Tor 2“ bearbeiten')
    const name = await screen.findByLabelText('Name')
    await userEvent.clear(name)
    await fill(name, ' Tor 3 ')
    await press('Speichern')
    await success('Gespeichert.')
    expect(sent).toEqual([{ id: 'd-1', body: { name: 'Tor 3', notes: 'Ersatzschlüssel beim Pförtner' } }])
  })

  it('are not sent where nothing has changed', async () => {
    lay()
    await press('„Werkstatt am Tor 2“ bearbeiten')
    await screen.findByLabelText('Name')
    await press('Speichern')
    await eventually(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([])
  })

  it('that are refused stay to be mended', async () => {
    lay(undefined, () => refusal(409, 'Das Gerät gehört nicht mehr deiner Firma.'))
    await press('„Werkstatt am Tor 2“ bearbeiten')
    await fill(await screen.findByLabelText('Notizen'), ' neu')
    await press('Speichern')
    const dialog = within(screen.getByRole('dialog'))
    expect(await dialog.findByText('Speichern fehlgeschlagen.')).toBeTruthy()
    expect(dialog.getByText('Das Gerät gehört nicht mehr deiner Firma.')).toBeTruthy()
  })
})
