import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { fill, renderPage, success, wide } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload } from '../../api/session'
import { ROLLOUTS, rollout } from '../../entities/rollouts/samples'
import { current, type Rollout } from '../../entities/rollouts/useStopped'
import { UpdatesPage } from './ClocksPages'
import { whereIs } from './Rollouts'
import { CLOCKS, RELEASES, SIGNATURES } from './samples'
import { sharesFrom } from './UpdateDialogs'

serve()
configure({ defaultHidden: true })

const ADMIN = { ...MIA, role: 'admin', companyId: 'c-0' } as const
let sent: [string, unknown][] = []

const take =
  (answer: object) =>
  async ({ request }: { request: Request }) => {
    const body = await request
      .clone()
      .json()
      .catch(() => null)
    sent.push([`${request.method} ${new URL(request.url).pathname}`, body])
    return HttpResponse.json(answer)
  }

beforeEach(() => {
  reload()
  reportReached()
  layEvents()
  logInAs(ADMIN)
  wide()
  sent = []
  server.use(
    http.get(url('/api/clocks'), () => HttpResponse.json(CLOCKS)),
    http.get(url('/api/updates/rollouts'), () => HttpResponse.json(ROLLOUTS)),
    http.get(url('/api/updates/releases'), () => HttpResponse.json(RELEASES)),
    http.get(url('/api/updates/signatures'), () => HttpResponse.json(SIGNATURES)),
    http.post(url('/api/updates/rollouts'), take(rollout())),
    http.post(url('/api/updates/rollouts/:id/:move'), take(rollout())),
    http.post(url('/api/updates/releases/:version/withdraw'), take(RELEASES[0] ?? {})),
  )
})

const open = () => renderPage(<UpdatesPage session={ADMIN as never} />)
const refill = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await fill(field, text)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const confirm = (name: string) =>
  userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
const shows = (rollouts: readonly Rollout[]) =>
  server.use(http.get(url('/api/updates/rollouts'), () => HttpResponse.json(rollouts)))

describe('rollouts', () => {
  it('that cannot be had say so, and so do versions', async () => {
    server.use(
      http.get(url('/api/updates/rollouts'), () => refusal(500, 'Gerade nicht.')),
      http.get(url('/api/updates/releases'), () => refusal(500, 'Gerade nicht.')),
    )
    open()
    await screen.findByText(/Die Rollouts konnten nicht geladen werden/)
    await screen.findByText(/Die Versionen konnten nicht geladen werden/)
  })

  it('that were for no clock say so, and do not look as if all had the version', async () => {
    shows([rollout({ state: 'done', size: 0, updated: 0, stages: [] })])
    open()
    await screen.findByText('Für keine Uhr bestimmt')
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('that there are none yet say what comes first', async () => {
    shows([])
    server.use(http.get(url('/api/updates/releases'), () => HttpResponse.json([])))
    open()
    await screen.findByText('Noch wurde keine Version verteilt.')
    await screen.findByText(/Noch ist keine Version veröffentlicht/)
  })

  it('say why they were stopped, and what they wait for', async () => {
    open()
    await screen.findByText(/21 von 38 aktualisierten Uhren, 61 von 207 anderen/)
    expect(screen.getByText('Stufe 2 von 4: Wird beurteilt: 0 von 1 Arbeitstagen vorbei.')).toBeTruthy()
    expect(screen.getAllByText('Frühere Rollouts')[0]).toBeTruthy()
    expect(current(ROLLOUTS).map(({ id }) => id)).toEqual(['r-1', 'r-2'])
    const narrower = [rollout({ id: 'r-9', platforms: ['cp311-x86_64'] }), ...ROLLOUTS]
    expect(current(narrower).map(({ id }) => id)).toEqual(['r-9', 'r-1', 'r-2'])
  })

  it('are offered only what their state allows', async () => {
    shows([rollout({ state: 'paused' }), rollout({ id: 'r-9', channel: 'beta', state: 'rolled_back' })])
    open()
    await screen.findByRole('button', { name: 'Fortsetzen: 1.6.0 · stable' })
    expect(screen.queryByRole('button', { name: 'Anhalten: 1.6.0 · stable' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Zurückrollen: 1.6.0 · beta' })).toBeNull()
  })

  it('that are rolled back say how many clocks still have the version', async () => {
    shows([rollout({ state: 'rolled_back', clocks: 2 })])
    open()
    await screen.findByText(/2 Uhren haben diese Version noch und wechseln, wenn die Firma geschlossen hat/)
  })

  it('that no clock has any more say so', async () => {
    shows([rollout({ state: 'rolled_back', clocks: 0 })])
    open()
    await screen.findByText('Keine Uhr hat diese Version mehr.')
  })

  it('are paused and rolled back after a question that says what happens', async () => {
    open()
    await press('Anhalten: 1.6.0 · stable')
    await screen.findByText(/Keine weitere Uhr bekommt die Version, bis du ihn fortsetzt/)
    await confirm('Anhalten')
    await success('Rollout angehalten.')
    await press('Zurückrollen: 1.6.0 · stable')
    await screen.findByText(/43 Uhren mit dieser Version gehen zu der zurück/)
    await confirm('Zurückrollen')
    await success('Rollout zurückgerollt.')
    expect(sent.map(([call]) => call)).toEqual([
      'POST /api/updates/rollouts/r-1/pause',
      'POST /api/updates/rollouts/r-1/rollback',
    ])
  })

  it('that are refused show the service’s sentence', async () => {
    server.use(
      http.post(url('/api/updates/rollouts/:id/:move'), () =>
        refusal(409, 'Nur ein laufender Rollout lässt sich anhalten.'),
      ),
    )
    open()
    await press('Anhalten: 1.6.0 · stable')
    await confirm('Anhalten')
    await screen.findByText(/Nur ein laufender Rollout lässt sich anhalten/)
  })
})

describe('starting one', () => {
  it('reads stages as people write them', () => {
    expect(sharesFrom('5, 25 % 100')).toEqual([5, 25, 100])
    for (const wrong of ['', '5, 25', '25, 5, 100', 'viele', '5, 100, 100'])
      expect(sharesFrom(wrong)).toBeNull()
  })

  it('sends nothing without a version or with stages that do not reach everybody', async () => {
    open()
    await screen.findByText(/Der Ton ist leiser/)
    await userEvent.click(screen.getAllByRole('button', { name: 'Rollout starten' })[0] as HTMLElement)
    await refill('Dann Anteile in Prozent', '5, 25')
    await confirm('Rollout starten')
    await screen.findByText('Wähle eine Version aus.')
    expect(screen.getByText(/die letzte muss 100 % sein/)).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('begins with the version that was pressed, and its stages', async () => {
    open()
    await press('Rollout starten: 1.6.0 · stable')
    await refill('Zuerst so viele Uhren', '3')
    await confirm('Rollout starten')
    await success('Rollout von 1.6.0 gestartet.')
    const stages = [{ clocks: 3 }, { percent: 5 }, { percent: 25 }, { percent: 100 }]
    expect(sent).toEqual([
      [
        'POST /api/updates/rollouts',
        { version: '1.6.0', channel: 'stable', stages, stageDays: 1, now: false },
      ],
    ])
  })

  it('that shall be now says so, and is seen to be', async () => {
    shows([rollout({ now: true })])
    open()
    await screen.findByText('sofort, auch während der Öffnungszeit')
    await press('Rollout starten: 1.6.0 · stable')
    await userEvent.click(await screen.findByLabelText('Sofort, auch während der Öffnungszeit'))
    await confirm('Rollout starten')
    await success('Rollout von 1.6.0 gestartet.')
    expect(sent).toMatchObject([['POST /api/updates/rollouts', { now: true }]])
  })
})

describe('versions', () => {
  it('are withdrawn with a reason alone, and those that were say theirs', async () => {
    open()
    await screen.findByText(/verliert Stempel/)
    await press('Weitere Aktionen: 1.6.0 · stable')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Zurückziehen' }))
    await confirm('Zurückziehen')
    await screen.findByText('Gib einen Grund an; er steht im Änderungsprotokoll.')
    await fill(screen.getByLabelText('Grund'), ' verliert Stempel ')
    await confirm('Zurückziehen')
    await success('Version 1.6.0 zurückgezogen.')
    expect(sent).toEqual([['POST /api/updates/releases/1.6.0/withdraw', { reason: 'verliert Stempel' }]])
  })

  it('that have to be published again say so, and nothing else can be done to them', async () => {
    open()
    await screen.findByText(/Bitte erneut veröffentlichen/)
    expect(screen.getAllByText('hier unbekannt')[0]).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Rollout starten: 1.7.0 · stable' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Weitere Aktionen: 1.7.0 · stable' })).toBeNull()
  })

  it('that have got another platform since say that it needs a rollout', async () => {
    shows([rollout({ platforms: ['cp311-x86_64'], state: 'done' })])
    open()
    await screen.findByText('1.6.0 · stable gibt es jetzt auch für cp311-aarch64.')
    expect(screen.getAllByText(/gibt es jetzt auch für/).length).toBe(1)
  })

  it('are counted by the clocks that run them', () => {
    expect(whereIs(CLOCKS)).toEqual([
      { version: '1.4.0', channel: 'stable', clocks: 2, online: 1 },
      { version: '1.5.0-rc1', channel: 'beta', clocks: 1, online: 1 },
    ])
  })
})

describe('signatures', () => {
  const table = async () => within(await screen.findByRole('table', { name: 'Unterschriften' }))

  it('say of each role who signs it, until when, and whether that is soon', async () => {
    open()
    const rows = (await table()).getAllByRole('row').map(row => row.textContent)
    expect(rows.slice(1)).toEqual([
      'Wurzel (root)Menschen, mit ihren Schlüsseln04.05.2029gilt',
      'Verteilung (targets)Menschen, mit ihren Schlüsseln04.05.2029gilt',
      'Kanal stableMenschen, mit ihren Schlüsseln09.12.2026läuft bald ab',
      'Kanal betaMenschen, mit ihren Schlüsseln18.11.2026abgelaufen',
      'Bestand (snapshot)der Dienst, täglich19.12.2026gilt',
      'Zeitstempel (timestamp)der Dienst, täglich03.12.2026gilt',
    ])
  })

  it('that are over, and those that soon will be, say what is to be done', async () => {
    open()
    await screen.findByText('Unterschriften sind abgelaufen.')
    expect(screen.getByText(/ist am 18.11.2026 abgelaufen/)).toBeTruthy()
    await screen.findByText('Unterschriften laufen bald ab.')
    expect(screen.getByText(/„stempelwerk release sign --channel stable“/)).toBeTruthy()
  })

  it('that cannot be read say so, and what is to be done', async () => {
    const rows = SIGNATURES.map(row => ({
      ...row,
      state: 'unreadable',
      expiresAt: null,
      text: `${row.role} neu`,
    }))
    server.use(http.get(url('/api/updates/signatures'), () => HttpResponse.json(rows)))
    open()
    await screen.findByText('Unterschriften lassen sich nicht lesen.')
    expect(screen.getByText('root neu')).toBeTruthy()
    expect((await table()).getAllByText('nicht lesbar')).toHaveLength(6)
  })

  it('say once that nothing counts as over while the time of the server is in doubt', async () => {
    const rows = SIGNATURES.map(row => ({ ...row, state: 'unknown', text: 'Die Uhrzeit ist zweifelhaft.' }))
    server.use(http.get(url('/api/updates/signatures'), () => HttpResponse.json(rows)))
    open()
    await screen.findByText('Ob Unterschriften gelten, ist gerade ungewiss.')
    expect(screen.getAllByText('Die Uhrzeit ist zweifelhaft.')).toHaveLength(1)
    expect(screen.queryByText(/Unterschriften sind abgelaufen/)).toBeNull()
  })

  it('that all hold warn of nothing', async () => {
    const rows = SIGNATURES.map(row => ({ ...row, state: 'good', text: '' }))
    server.use(http.get(url('/api/updates/signatures'), () => HttpResponse.json(rows)))
    open()
    await table()
    expect(screen.queryByText(/Unterschriften laufen/)).toBeNull()
    expect(screen.queryByText(/Unterschriften sind/)).toBeNull()
  })

  it('of which there are none say where they begin', async () => {
    server.use(http.get(url('/api/updates/signatures'), () => HttpResponse.json([])))
    open()
    await screen.findByText(/Das beginnt mit der Schlüsselzeremonie/)
  })

  it('that do not come say so', async () => {
    server.use(http.get(url('/api/updates/signatures'), () => refusal(500, 'Gerade nicht.')))
    open()
    await screen.findByText(/Die Unterschriften konnten nicht geladen werden/)
  })
})
