import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { fill, renderPage, success, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { CompanyChannelPage, OverviewPage, UpdatesPage } from './ClocksPages'
import { bandsOf, queueLine, shareOnline } from './history'
import { RegistryPage } from './RegistryPage'
import { CLOCKS, DEVICES, detail, MOMENTS } from './samples'
import { texts } from './texts'
import { codeFrom } from './useFleet'

serve()
// Also finds elements covered by a dialog: visibility checks of each element take most of the time.
configure({ defaultHidden: true })

const ADMIN = { ...MIA, role: 'admin', companyId: 'c-0' } as const
let asked: string[] = []
let sent: [string, unknown][] = []
let released = 0

beforeEach(() => {
  reload()
  reportReached()
  layEvents()
  logInAs(ADMIN)
  asked = []
  sent = []
  released = 0
  const take =
    (answer: object | null, status = 200) =>
    async ({ request }: { request: Request }) => {
      const body =
        request.method === 'DELETE'
          ? null
          : await request
              .clone()
              .json()
              .catch(() => null)
      sent.push([`${request.method} ${new URL(request.url).pathname}`, body])
      return status === 204 ? new HttpResponse(null, { status }) : HttpResponse.json(answer)
    }
  server.use(
    http.get(url('/api/devices'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(searchParams.toString())
      const words = searchParams.get('q') ?? ''
      return HttpResponse.json(DEVICES.filter(one => `${one.serial} ${one.claimCode}`.includes(words)))
    }),
    http.get(url('/api/companies'), () => HttpResponse.json([{ id: 'c-1', name: 'Tischlerei Holm' }])),
    http.put(url('/api/devices/:id'), take(DEVICES[0] ?? null)),
    http.post(url('/api/devices/:id/assign-company'), call => take({ ...DEVICES[0], released })(call)),
    http.post(url('/api/devices/:id/replace'), take(DEVICES[2] ?? null)),
    http.post(url('/api/devices/:id/revoke'), take(null, 204)),
    http.delete(url('/api/devices/:id'), take(null, 204)),
    http.get(url('/api/clocks'), () => HttpResponse.json(CLOCKS)),
    http.put(url('/api/clocks/:id/channel'), take(CLOCKS[0] ?? null)),
    http.put(url('/api/clocks/channel'), take({ changed: 2 })),
    http.get(url('/api/devices/d-4'), () => HttpResponse.json(detail())),
    http.get(url('/api/devices/d-4/history'), () => HttpResponse.json(MOMENTS)),
  )
})

const open = (at = '/') => {
  renderPage(<RegistryPage />, at)
  return userEvent.setup()
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const card = async (serial: string) => {
  const list = await screen.findByRole('list', { name: 'Geräte' })
  return within(
    list.querySelector(
      `li:has(h2):nth-child(${DEVICES.findIndex(d => d.serial === serial) + 1})`,
    ) as HTMLElement,
  )
}
const choose = async (label: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: label }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
const menu = async (name: string, entry: string) => {
  await press(`Weitere Aktionen: ${name}`)
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

describe('the registry', () => {
  it('that is refused says why', async () => {
    server.use(http.get(url('/api/devices'), () => refusal(403, 'Dafür fehlt die Berechtigung.')))
    open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Die Geräte konnten nicht geladen werden.')
    expect(alert.textContent).toContain('Dafür fehlt die Berechtigung.')
  })

  it('begins with the clocks that are nobody’s, page by page, and says what is wrong with them', async () => {
    open()
    expect((await card('SW-0902')).getByText(/gibt es zweimal/)).toBeTruthy()
    expect((await card('SW-1177')).getByText('7K3QW9XA')).toBeTruthy()
    for (const text of ['gestört', 'unbekannt']) expect((await card('SW-0902')).getByText(text)).toBeTruthy()
    expect(asked[0]).toBe('limit=30&unassigned=true&withdrawn=false')
  })

  it('is searched by the service', async () => {
    const user = open()
    await user.type(await screen.findByLabelText('Gerät suchen'), 'M4T8')
    await eventually(() => expect(asked.at(-1)).toContain('q=M4T8'))
    await eventually(() => expect(screen.queryByText('SW-1178')).toBeNull())
  })

  it('is searched as a whole, whatever the filter shows', async () => {
    const user = open()
    await screen.findByRole('combobox', { name: 'Anzeigen' })
    await user.type(screen.getByLabelText('Gerät suchen'), 'M4T8')
    await eventually(() => expect(asked.at(-1)).toContain('unassigned=false&withdrawn=false&q=M4T8'))
    expect(screen.queryByRole('combobox', { name: 'Anzeigen' })).toBeNull()
    expect(screen.getByText('Gesucht wird in allen Uhren in Betrieb.')).toBeTruthy()
  })

  it('leads on from hits among withdrawn clocks to the clocks in use', async () => {
    const user = open()
    await choose('Anzeigen', 'Gesperrt oder außer Betrieb')
    await user.type(await screen.findByLabelText('Gerät suchen'), 'M4T8')
    await eventually(() => expect(asked.at(-1)).toContain('withdrawn=true&q=M4T8'))
    await user.click(await screen.findByRole('button', { name: 'In allen Uhren in Betrieb suchen' }))
    await eventually(() => expect(asked.at(-1)).toContain('unassigned=false&withdrawn=false&q=M4T8'))
    await screen.findByText('Gesucht wird in allen Uhren in Betrieb.')
    await screen.findByRole('button', { name: 'In gesperrten und außer Betrieb suchen' })
  })

  it('in which nothing is found leads on to the clocks that are not in use', async () => {
    server.use(
      http.get(url('/api/devices'), ({ request }) => {
        asked.push(new URL(request.url).searchParams.toString())
        return HttpResponse.json([])
      }),
    )
    const user = open()
    await user.type(await screen.findByLabelText('Gerät suchen'), 'SW-9999')
    await screen.findByText('Kein Gerät passt dazu.')
    await user.click(screen.getByRole('button', { name: 'In gesperrten und außer Betrieb suchen' }))
    await eventually(() => expect(asked.at(-1)).toContain('withdrawn=true&q=SW-9999'))
    await screen.findByText('Gesucht wird in Uhren, die gesperrt oder außer Betrieb sind.')
  })
})

describe('claiming', () => {
  it('reads a code as people do', () => {
    expect(codeFrom(' 7k3q-w9oi ')).toBe('7K3QW901')
  })

  it('assigns the one clock that shows the code', async () => {
    open()
    await press('Uhr mit Code zuordnen')
    await fill(await screen.findByLabelText('Code auf der Anzeige'), 'm4t8 z2pc')
    await choose('Firma', 'Tischlerei Holm')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Firma zuordnen' }))
    await success('Firma zugeordnet.')
    expect(sent).toEqual([['POST /api/devices/d-2/assign-company', { companyId: 'c-1' }]])
  })

  it('from a day without a time is not taken for now', async () => {
    open()
    await press('Uhr mit Code zuordnen')
    await fill(await screen.findByLabelText('Code auf der Anzeige'), 'M4T8Z2PC')
    await choose('Firma', 'Tischlerei Holm')
    await fill(screen.getByLabelText('Gilt ab: Tag'), '20.11.2026')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Firma zuordnen' }))
    await screen.findByText('Bitte Tag und Uhrzeit angeben.')
    expect(sent).toEqual([])
  })

  it.each([
    [0, 'Firma zugeordnet. Frühere Stempel sind noch keine da; was unterwegs ist, kommt nach.'],
    [1, 'Firma zugeordnet. 1 früherer Stempel kam mit.'],
    [14, 'Firma zugeordnet. 14 frühere Stempel kamen mit.'],
  ])('from an earlier moment says how many stamps came: %d', async (count, sentence) => {
    released = count
    open()
    await press('Uhr mit Code zuordnen')
    await fill(await screen.findByLabelText('Code auf der Anzeige'), 'M4T8Z2PC')
    await choose('Firma', 'Tischlerei Holm')
    await fill(screen.getByLabelText('Gilt ab: Tag'), '20.11.2026')
    await userEvent.type(screen.getByLabelText('Stunden'), '0600')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Firma zuordnen' }))
    await success(sentence)
    const body = { companyId: 'c-1', from: '2026-11-20T05:00:00.000Z' }
    expect(sent).toEqual([['POST /api/devices/d-2/assign-company', body]])
  })

  it('of a time whose stamps are another company’s says why and what to do', async () => {
    const sentence =
      'Stempel dieser Uhr aus dieser Zeit sind schon einer anderen Firma freigegeben. Wähle einen späteren Zeitpunkt, oder lass „Gilt ab“ leer.'
    server.use(
      http.post(url('/api/devices/:id/assign-company'), () =>
        refusal(409, sentence, { code: 'release_overlaps' }),
      ),
    )
    open()
    await press('Uhr mit Code zuordnen')
    await fill(await screen.findByLabelText('Code auf der Anzeige'), 'M4T8Z2PC')
    await choose('Firma', 'Tischlerei Holm')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Firma zuordnen' }))
    await screen.findByText(sentence)
  })

  it('of a code that no free clock shows says so, and sends nothing', async () => {
    open()
    await press('Uhr mit Code zuordnen')
    await fill(await screen.findByLabelText('Code auf der Anzeige'), 'AAAAAAAA')
    await choose('Firma', 'Tischlerei Holm')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Firma zuordnen' }))
    await screen.findByText('Keine freie Uhr zeigt diesen Code.')
    expect(sent).toEqual([])
  })
})

describe('what is done to a clock', () => {
  it('sends no words that have not changed', async () => {
    open()
    await press('„Lager, Regal 3“ bearbeiten')
    await screen.findByLabelText('Anzeigename')
    await press('Speichern')
    await eventually(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([])
  })

  it('revokes nothing without a reason', async () => {
    open()
    await card('SW-1177')
    await menu('SW-1177', 'Sperren')
    await press('Sperren')
    await screen.findByText('Gib einen Grund an; er steht im Änderungsprotokoll.')
    await fill(screen.getByLabelText('Grund'), ' gestohlen ')
    await press('Sperren')
    await success('Uhr gesperrt.')
    expect(sent).toEqual([['POST /api/devices/d-1/revoke', { reason: 'gestohlen' }]])
  })

  it('takes out of use only what is named, and says what is lost', async () => {
    open()
    await card('SW-0902')
    await menu('Lager, Regal 3', 'Außer Betrieb nehmen')
    await screen.findByText(/liegen noch 12 Stempel/)
    await press('Außer Betrieb nehmen')
    await screen.findByText('Das ist nicht die Seriennummer.')
    await fill(screen.getByLabelText('Zur Bestätigung die Seriennummer eingeben'), 'SW-0902')
    await press('Außer Betrieb nehmen')
    await success('Uhr außer Betrieb genommen.')
    expect(sent).toEqual([['DELETE /api/devices/d-2', null]])
  })

  it('replaces it by a free clock', async () => {
    open()
    await card('SW-1177')
    await menu('SW-1177', 'Ersetzen')
    await choose('Ersatzgerät', 'SW-1178 · B2N6R0HD')
    await press('Ersetzen')
    await success('SW-1178 hat übernommen.')
    expect(sent).toEqual([['POST /api/devices/d-1/replace', { deviceId: 'd-3' }]])
  })
})

describe('a clock’s own page', () => {
  it('says how it was, whose it was, and what is missing, and shows no stamp', async () => {
    open('/?uhr=d-4')
    await screen.findByText('3 Stempel fehlen noch.')
    const missing = 'Start 10. November, 06:58 Uhr: 3 Stempel (Nummer 1201 bis 1202, 1700)'
    expect(screen.getByText(missing)).toBeTruthy()
    expect(screen.getByText('Uhrzeit unbekannt')).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/0190a1b2|018f0000/)
    expect(screen.getByRole('link', { name: 'SW-0031' })).toBeTruthy()
    expect(screen.getAllByText('Bäckerei Krume').length).toBeGreaterThan(0)
    expect(await screen.findByRole('img', { name: /Erreichbar in/ })).toBeTruthy()
  })

  it('shows how its portable scanners are', async () => {
    wide()
    open('/?uhr=d-4')
    const table = await screen.findByRole('table', { name: 'Tragbare Scanner' })
    expect(within(table).getByText('SW-BEACON-000042')).toBeTruthy()
    for (const text of ['unterwegs', '9 %', '6.144 von 6.144', '3 Stempel', 'gestört'])
      expect(within(table).getByText(text)).toBeTruthy()
  })

  it('is shown as an older server sends it, without alarms and starts’ times', async () => {
    const { alarms: _, epochs, ...older } = detail()
    const untimed = epochs.map(({ beganAt: __, ...epoch }) => epoch)
    server.use(http.get(url('/api/devices/d-4'), () => HttpResponse.json({ ...older, epochs: untimed })))
    open('/?uhr=d-4')
    await screen.findByText('3 Stempel fehlen noch.')
    expect(screen.getAllByText('Uhrzeit unbekannt').length).toBeGreaterThan(1)
    expect(screen.queryByText('Alarme')).toBeNull()
  })

  it('without scanners speaks of none', async () => {
    server.use(http.get(url('/api/devices/d-4'), () => HttpResponse.json(detail({ scanners: [] }))))
    open('/?uhr=d-4')
    await screen.findByText('3 Stempel fehlen noch.')
    expect(screen.queryByText('Tragbare Scanner')).toBeNull()
  })

  it('of a withdrawn clock says why, and does nothing more to it', async () => {
    server.use(
      http.get(url('/api/devices/d-4'), () =>
        HttpResponse.json(detail({ withdrawn: 'revoked', withdrawnWhy: 'gestohlen' })),
      ),
    )
    open('/?uhr=d-4')
    await screen.findByText('Diese Uhr ist gesperrt.')
    expect(screen.getByText(/Grund: gestohlen/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /bearbeiten/ })).toBeNull()
    expect(screen.getByRole('button', { name: texts.unassign })).toBeTruthy()
  })

  it('has its newest log lines, whosever it is', async () => {
    server.use(
      http.get(url('/api/devices/d-4'), () =>
        HttpResponse.json(detail({ companyId: null, companyName: null })),
      ),
    )
    open('/?uhr=d-4')
    expect(await screen.findByText('no answer from PN532')).toBeTruthy()
    // Under "Letzter Fehler" with its time, and in the table.
    expect(screen.getAllByText(/Der Leser für die Chips ist gestört\./)).toHaveLength(2)
  })

  it('draws a silence where the clock was silent', () => {
    const bands = bandsOf(MOMENTS, Date.parse('2026-11-20T12:00:00Z'))
    expect(bands.map(({ online }) => online)).toEqual([true, false, true])
    expect(shareOnline(bands)).toBeCloseTo(1 - 12 / 168)
    expect(queueLine(MOMENTS, Date.parse('2026-11-20T12:00:00Z'), 38)).toContain(',4 ')
  })
})

describe('global updates', () => {
  const updates = (role: 'admin' | 'companyAdmin' = 'admin') =>
    renderPage(<UpdatesPage session={{ ...ADMIN, role } as never} />)

  it('are for administrators of the system alone', () => {
    updates('companyAdmin')
    expect(screen.getByText('Nur für Admins.')).toBeTruthy()
  })

  it('that are refused say so', async () => {
    wide()
    server.use(http.put(url('/api/clocks/:id/channel'), () => refusal(500, 'Gerade nicht.')))
    updates()
    await press('„Backstube“ auf beta setzen')
    await screen.findByText('Fehler beim Setzen des Channels.')
  })

  it('are toggled for one, and for all after a question', async () => {
    wide()
    updates()
    await press('„Montagewagen“ auf stable setzen')
    await success('„Montagewagen“ bezieht Updates aus stable.')
    await press('Alle auf beta')
    await screen.findByText('2 Uhren wechseln zu beta.')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Alle auf beta' }))
    await success('2 Uhren haben den Kanal gewechselt.')
    expect(sent).toEqual([
      ['PUT /api/clocks/d-5/channel', { channel: 'stable' }],
      ['PUT /api/clocks/channel', { channel: 'beta' }],
    ])
  })
})

describe('a company’s clocks', () => {
  const of = (rows: readonly object[]) => {
    wide()
    server.use(
      http.get(url('/api/companies/c-1/clocks'), () => HttpResponse.json([...rows])),
      http.post(url('/api/companies/c-1/update-channel'), async ({ request }) => {
        sent.push(['POST', await request.json()])
        return HttpResponse.json({ changed: 1 })
      }),
    )
  }

  it('are listed with their state, version and channel; that there are none is said', async () => {
    of(CLOCKS.slice(1))
    const { unmount } = renderPage(<OverviewPage />, '/?firma=c-1')
    const rows = (await screen.findAllByRole('row')).map(row => row.textContent)
    for (const text of ['Montagewagen', 'SW-0418', 'online', '1.5.0-rc1', 'beta'])
      expect(rows[1]).toContain(text)
    expect(rows[2]).toContain('offline')
    unmount()
    of([])
    renderPage(<OverviewPage />, '/?firma=c-1')
    expect(await screen.findByText('Diese Firma hat keine Uhr.')).toBeTruthy()
  })

  it('go to a channel together, after a question that counts them; what is refused is said', async () => {
    of(CLOCKS.slice(0, 2))
    renderPage(<CompanyChannelPage />, '/?firma=c-1')
    await screen.findByText('1 auf stable, 1 auf beta')
    await press('Alle auf stable')
    await screen.findByText('Eine Uhr wechselt zu stable.')
    const confirm = within(screen.getByRole('dialog')).getByRole('button', { name: 'Alle auf stable' })
    await userEvent.click(confirm)
    await success('Eine Uhr hat den Kanal gewechselt.')
    expect(sent).toEqual([['POST', { channel: 'stable' }]])
    server.use(http.post(url('/api/companies/c-1/update-channel'), () => refusal(500, 'Gerade nicht.')))
    await press('Alle auf beta')
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Alle auf beta' }))
    await screen.findByText('Fehler beim Bulk-Setzen.')
  })
})
