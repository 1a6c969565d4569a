import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { layEvents } from '../../tests/events'
import { eventually } from '../../tests/eventually'
import { fill, wide } from '../../tests/page'
import { MIA, planAnswers, serve, server, timesAnswer, url } from '../../tests/server'
import { samples } from '../features/absences/samples'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Friday, ten past eleven in Berlin. */
const SERVICE = Date.parse('2026-11-20T10:10:00Z')

const [absences] = samples

let truth = 0

/** The device's clock shows this much more than the service's. */
function setDevice(ahead: number) {
  vi.setSystemTime(Date.now() - truth + ahead)
  truth = ahead
}

serve()
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: SERVICE })
  truth = 0
  sessionStorage.clear()
  Object.assign(localStorage, MIA)
  layEvents()
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    const answer = await realFetch(...call)
    const headers = new Headers(answer.headers)
    headers.set('Date', new Date(Date.now() - truth).toUTCString())
    return new Response(answer.body, { status: answer.status, headers })
  })
  server.use(
    timesAnswer([]),
    ...planAnswers(),
    http.get(url('/api/users/:id/absences'), () => HttpResponse.json([])),
    http.get(url('/api/vacation-policy/mine'), () =>
      HttpResponse.json(absences?.answers['GET /api/vacation-policy/mine'] as object),
    ),
  )
})

/** The app in a newly loaded page, without state of another page. */
async function open(address: string) {
  vi.resetModules()
  const { AppWithQueries } = await import('../../tests/app')
  window.history.replaceState(null, '', address)
  return render(<AppWithQueries />)
}

const TIMES = '/dashboard?tab=my_times'
const notice = () => screen.findByText(/^Die Uhr dieses Geräts geht/)

describe('on a device whose clock is wrong', () => {
  it('months ahead, Meine Zeiten opens with this month, and says what is wrong', async () => {
    setDevice(75 * DAY)
    await open(TIMES)
    expect((await notice()).textContent).toBe('Die Uhr dieses Geräts geht etwa 2 Monate vor.')
    expect(
      screen.getByText(/Jetzt ist der 20\. November, 11:10 Uhr\.$/).closest('[role=status]'),
    ).not.toBeNull()
    expect(await screen.findByText('Im November 2026 hast du noch nicht gestempelt.')).toBeTruthy()
    expect(screen.getByRole('button', { name: /^November 2026/ })).toBeTruthy()
  })

  it('a day behind, the calendar of Meine Termine marks the right day', async () => {
    wide()
    setDevice(-DAY)
    await open('/dashboard')
    await notice()
    await eventually(() =>
      expect(document.querySelector('[aria-current=date] time')?.getAttribute('datetime')).toBe('2026-11-20'),
    )
  })

  it('months ahead, who is ill is asked about today', async () => {
    setDevice(75 * DAY)
    await open('/dashboard?tab=my_absences')
    await notice()
    await userEvent.click((await screen.findAllByRole('button', { name: 'Krank melden' }))[0] as HTMLElement)
    const dialog = within(await screen.findByRole('dialog'))
    expect(((await dialog.findByLabelText('Krank ab')) as HTMLInputElement).value).toBe('20.11.2026')
    const end = dialog.getByLabelText('Bis voraussichtlich') as HTMLInputElement
    expect(end.value).toBe('20.11.2026')
    await userEvent.click(end)
    await eventually(() => expect(document.querySelector('[data-today]')?.textContent).toBe('20'))
  })

  it('months ahead, the calendar of an empty field opens at this month', async () => {
    setDevice(75 * DAY)
    await open('/dashboard?tab=my_absences')
    await notice()
    await userEvent.click(
      (await screen.findAllByRole('button', { name: 'Urlaub oder Wunschfrei beantragen' }))[0] as HTMLElement,
    )
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByLabelText('Erster Tag'))
    await eventually(() => expect(document.querySelector('[data-today]')?.textContent).toBe('20'))
  })

  it('it is said once: who has understood it does not read it again after loading the page anew', async () => {
    setDevice(3 * HOUR)
    const page = await open(TIMES)
    await notice()
    await userEvent.click(screen.getByRole('button', { name: 'Verstanden' }))
    expect(screen.queryByText(/^Die Uhr dieses Geräts geht/)).toBeNull()
    page.unmount()
    await open(TIMES)
    await screen.findByText('Im November 2026 hast du noch nicht gestempelt.')
    expect(screen.queryByText(/^Die Uhr dieses Geräts geht/)).toBeNull()
  })

  it('it is no longer said once the clock is right', async () => {
    setDevice(3 * HOUR)
    await open(TIMES)
    await notice()
    setDevice(0)
    await userEvent.click(screen.getByRole('button', { name: 'Aktualisieren' }))
    await eventually(() => expect(screen.queryByText(/^Die Uhr dieses Geräts geht/)).toBeNull())
  })

  it('what is typed while the clock is put right stays', async () => {
    setDevice(75 * DAY)
    await open(TIMES)
    await notice()
    await userEvent.click(await screen.findByRole('button', { name: 'Korrektur beantragen' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(await dialog.findByLabelText(/^Begründung/), 'Chip vergessen')
    setDevice(0)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await eventually(() => expect(screen.queryByText(/^Die Uhr dieses Geräts geht/)).toBeNull())
    expect((dialog.getByLabelText(/^Begründung/) as HTMLInputElement).value).toBe('Chip vergessen')
  })
})

it('on a device whose clock is right nothing is said', async () => {
  setDevice(-60_000)
  await open(TIMES)
  await screen.findByText('Im November 2026 hast du noch nicht gestempelt.')
  expect(screen.queryByText(/^Die Uhr dieses Geräts geht/)).toBeNull()
  expect(localStorage.getItem('clock')).toBeNull()
})
