import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { renderPage, success } from '../../../tests/page'
import { pick } from '../../../tests/people'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { ROLLOUTS } from '../../entities/rollouts/samples'
import { AlarmsPage } from './AlarmsPage'
import { ALARMS, alarm, SETTINGS } from './samples'

serve()
configure({ defaultHidden: true })

let openParams: (string | null)[] = []
let sent: unknown[] = []

beforeEach(() => {
  reload()
  reportReached()
  layEvents()
  logInAs({ ...MIA, role: 'admin', companyId: 'c-0' })
  openParams = []
  sent = []
  server.use(
    http.get(url('/api/companies'), () => HttpResponse.json([{ id: 'c-1', name: 'Tischlerei Holm' }])),
    http.get(url('/api/alarm-settings'), () => HttpResponse.json(SETTINGS)),
  )
})

function lay(answer: () => Response = () => HttpResponse.json(ALARMS)) {
  server.use(
    http.get(url('/api/alarms'), ({ request }) => {
      openParams.push(new URL(request.url).searchParams.get('open'))
      return answer()
    }),
  )
  renderPage(<AlarmsPage />)
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const FIRST = '„Werkstatt am Tor 2“, meldet sich nicht: bestätigen'

describe('the alarms', () => {
  it('say which rollout has stopped and why, until somebody has decided', async () => {
    server.use(http.get(url('/api/updates/rollouts'), () => HttpResponse.json(ROLLOUTS)))
    lay()
    expect(await screen.findByText('Rollout gestoppt: 1.6.0rc1 · beta')).toBeTruthy()
    expect(screen.getByText(/21 von 38 aktualisierten Uhren, 61 von 207 anderen/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Zu den Updates' }).getAttribute('href')).toContain('tab=updates')
    expect(screen.queryByText(/Rollout gestoppt: 1.6.0 · stable/)).toBeNull()
  })

  it('of the installation itself name the server and no clock, and nobody chooses mails of them', async () => {
    lay(() => HttpResponse.json([alarm('a-9', { kind: 'time', deviceId: null, deviceName: null })]))
    const name = '„Server“, Uhrzeit des Servers ist zweifelhaft: bestätigen'
    expect(await screen.findByRole('button', { name })).toBeTruthy()
    await press('Alarme einstellen')
    expect(await screen.findByRole('checkbox', { name: 'Speicher fast voll' })).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: 'Uhrzeit des Servers ist zweifelhaft' })).toBeNull()
  })

  it('of a kind that only a newer server knows have a name and can be acknowledged', async () => {
    lay(() => HttpResponse.json([{ ...alarm('a-9'), kind: 'meteor' }]))
    const name = '„Werkstatt am Tor 2“, Anderer Alarm: bestätigen'
    expect(await screen.findByRole('button', { name })).toBeTruthy()
  })

  it('of a withdrawn version concern clocks, and not all of them', async () => {
    lay(() => HttpResponse.json([alarm('a-9', { kind: 'withdrawn', deviceId: null, deviceName: null })]))
    const name = '„Uhren“, Zurückgezogene Version im Einsatz: bestätigen'
    expect(await screen.findByRole('button', { name })).toBeTruthy()
  })

  it('that are refused say why', async () => {
    lay(() => refusal(403, 'Dieses Modul ist nicht freigeschaltet.'))
    expect((await screen.findByRole('alert')).textContent).toContain('Dieses Modul ist nicht freigeschaltet.')
  })

  it('that there are none of say so, of the open ones and of all', async () => {
    lay(() => HttpResponse.json([]))
    expect(await screen.findByText('Kein Alarm ist offen.')).toBeTruthy()
    await pick('Anzeigen', 'Alle')
    expect(await screen.findByText('Es gab noch keinen Alarm.')).toBeTruthy()
    expect([...new Set(openParams)]).toEqual(['true', 'false'])
  })

  it('say of which clock and company they are, since when, and who sees to them', async () => {
    lay()
    const clock = await screen.findByRole('link', { name: 'Werkstatt am Tor 2' })
    expect(clock.getAttribute('href')).toContain('tab=registry&uhr=d-1')
    const list = screen.getByText('Netz der Firma weg').closest('li, tr')?.textContent
    expect(list).toContain('Alle Uhren')
    expect(list).toContain('System-Admin')
    expect(await screen.findByText('Tischlerei Holm')).toBeTruthy()
    expect(screen.getByText('19. November, 07:02 Uhr')).toBeTruthy()
  })

  it('say what to do while they go on', async () => {
    lay(() =>
      HttpResponse.json([
        alarm('a-5', { kind: 'cert', deviceId: null, deviceName: null, hint: 'Erneuere das Zertifikat.' }),
      ]),
    )
    const row = (await screen.findByText('Zertifikat des Servers läuft ab')).closest('li, tr')?.textContent
    expect(row).toContain('Erneuere das Zertifikat.')
    expect(row).toContain('Alle Uhren')
  })

  it('can be acknowledged while they go on and nobody has', async () => {
    server.use(
      http.post(url('/api/alarms/:id/acknowledge'), ({ params }) => {
        sent.push(params.id)
        return HttpResponse.json(ALARMS[0])
      }),
    )
    lay()
    await press(FIRST)
    await success('Bestätigt: Du kümmerst dich darum.')
    expect(sent).toEqual(['a-3'])
    expect(screen.getAllByRole('button', { name: /bestätigen$/ })).toHaveLength(1)
  })

  it('that cannot be acknowledged say why', async () => {
    server.use(http.post(url('/api/alarms/:id/acknowledge'), () => refusal(404, 'Nicht gefunden.')))
    lay()
    await press(FIRST)
    expect(await screen.findByText('Nicht gefunden.')).toBeTruthy()
  })
})

describe('the settings', () => {
  const dialog = async () => within(await screen.findByRole('dialog'))
  const take = () =>
    server.use(
      http.put(url('/api/alarm-settings'), async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(SETTINGS)
      }),
    )

  it('say what is mailed, and when', async () => {
    take()
    lay()
    await press('Alarme einstellen')
    const form = await dialog()
    await userEvent.click(await form.findByLabelText('Warteschlange wächst'))
    await userEvent.click(form.getByRole('button', { name: 'Speichern' }))
    await success('Gespeichert.')
    const kinds = SETTINGS.kinds.filter(kind => kind !== 'queue')
    expect(sent).toEqual([{ ...SETTINGS, kinds }])
  })

  it('offer the operator the kinds that only the operator can end', async () => {
    take()
    lay()
    await press('Alarme einstellen')
    const form = await dialog()
    await userEvent.click(await form.findByLabelText('Zertifikat des Servers läuft ab'))
    await userEvent.click(form.getByRole('button', { name: 'Speichern' }))
    await eventually(() =>
      expect(sent).toEqual([{ ...SETTINGS, kinds: SETTINGS.kinds.filter(kind => kind !== 'cert') }]),
    )
  })

  it('without mails have nothing more to ask', async () => {
    take()
    lay()
    await press('Alarme einstellen')
    const form = await dialog()
    await userEvent.click(await form.findByLabelText('E-Mails bei Alarm und Entwarnung'))
    expect(form.queryByText('Welche Alarme')).toBeNull()
    await userEvent.click(form.getByRole('button', { name: 'Speichern' }))
    await eventually(() => expect(sent).toEqual([{ ...SETTINGS, mail: false }]))
  })

  it('that are refused stand at their field', async () => {
    const message = 'Beginn und Ende der Ruhezeit sind gleich.'
    server.use(
      http.put(url('/api/alarm-settings'), () =>
        HttpResponse.json(
          { status: 422, code: 'invalid', message, errors: [{ field: 'quietTo', message }] },
          { status: 422 },
        ),
      ),
    )
    lay()
    await press('Alarme einstellen')
    const form = await dialog()
    await userEvent.click(await form.findByRole('button', { name: 'Speichern' }))
    expect(await form.findAllByText(message)).not.toHaveLength(0)
  })

  it('that cannot be had say so', async () => {
    server.use(http.get(url('/api/alarm-settings'), () => refusal(403, 'Dafür fehlt die Berechtigung.')))
    lay()
    await press('Alarme einstellen')
    expect(await (await dialog()).findByText('Dafür fehlt die Berechtigung.')).toBeTruthy()
  })
})
