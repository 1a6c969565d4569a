import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage } from '../../../tests/page'
import { held, logInAs, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { end, reload } from '../../api/session'
import { DeclinePage } from './DeclinePage'

serve()

const SUBSCRIPTION = url('/api/export-mails/subscription')
const UNKNOWN = 'Dieser Link ist unvollständig, oder die Firma gibt es hier nicht mehr.'
const COMPANY = 'Tischlerei Holm'
const ABOUT_TEXT = `${COMPANY} schickt die Arbeitszeiten jedes Monats an l…@steuer.example.`

let declined = false
let calls: { method: string; body: unknown; bearer: string | null }[] = []

beforeEach(() => {
  reload()
  reportReached()
  declined = false
  calls = []
})

const answer = () => HttpResponse.json({ company: COMPANY, recipient: 'l…@steuer.example', declined })

async function note(request: Request) {
  const body = (await request.json()) as { declined?: boolean }
  calls.push({ method: request.method, body, bearer: request.headers.get('Authorization') })
  return body
}

/** A service that remembers the choice. */
function layOut() {
  server.use(
    http.post(SUBSCRIPTION, async ({ request }) => {
      await note(request)
      return answer()
    }),
    http.put(SUBSCRIPTION, async ({ request }) => {
      declined = (await note(request)).declined === true
      return answer()
    }),
  )
}

const open = (token = 'gAAAA-1') => renderPage(<DeclinePage />, `/abmelden${token && `#${token}`}`)
const button = (name: string) => screen.findByRole('button', { name })
const puts = () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)

describe('a link', () => {
  it('without its end asks the service nothing, and says so', async () => {
    open('')
    expect((await screen.findByRole('alert')).textContent).toContain('Öffne ihn noch einmal aus der E-Mail.')
    expect(calls).toEqual([])
  })

  it.each([
    [404, UNKNOWN, UNKNOWN],
    [422, 'Ungültige Eingabe. token: Ungültiger Wert.', 'Dieser Link ist unvollständig.'],
  ])('that is refused with %i says why, and offers nothing', async (status, message, said) => {
    server.use(http.post(SUBSCRIPTION, () => refusal(status, message)))
    open()
    expect((await screen.findByRole('alert')).textContent).toContain(said)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('that cannot be asked about says so, and is asked about again', async () => {
    server.use(http.post(SUBSCRIPTION, () => HttpResponse.error()))
    open()
    expect((await screen.findByRole('alert')).textContent).toContain('Server nicht erreichbar.')
    layOut()
    await userEvent.click(await button('Erneut versuchen'))
    expect(await screen.findByText(ABOUT_TEXT)).toBeTruthy()
  })

  it('changes nothing by being opened, names no session, and shows the address as a hint alone', async () => {
    layOut()
    logInAs()
    open()
    expect(await screen.findByText(ABOUT_TEXT)).toBeTruthy()
    expect(document.title).toBe('E-Mails abbestellen · Stempelwerk')
    expect(calls).toEqual([{ method: 'POST', body: { token: 'gAAAA-1' }, bearer: null }])
    end('logout')
  })
})

describe('a press', () => {
  it('declines, says so where the focus is, and leaves a second press without effect', async () => {
    layOut()
    open()
    ;(await button('Abbestellen')).focus()
    await userEvent.keyboard('{Enter}')
    const confirmation = await screen.findByText('Erledigt, du hast abbestellt.')
    expect(puts()).toEqual([{ token: 'gAAAA-1', declined: true }])
    await waitFor(() => expect(document.activeElement?.contains(confirmation)).toBe(true))
    await userEvent.keyboard('{Enter}')
    expect(puts()).toHaveLength(1)
  })

  it('is taken back by the same link, which can be opened again', async () => {
    layOut()
    declined = true
    open()
    await userEvent.click(await button('Doch wieder bekommen'))
    expect(await screen.findByText('Erledigt, du bekommst die E-Mails wieder.')).toBeTruthy()
    expect(puts()).toEqual([{ token: 'gAAAA-1', declined: false }])
    cleanup()
    open()
    expect(await button('Abbestellen')).toBeTruthy()
  })

  it('is taken once while its answer is awaited', async () => {
    layOut()
    const late = held(answer)
    server.use(
      http.put(SUBSCRIPTION, async ({ request }) => {
        declined = (await note(request)).declined === true
        return late.answer()
      }),
    )
    open()
    await userEvent.dblClick(await button('Abbestellen'))
    await late.asked
    late.release()
    expect(await screen.findByText('Erledigt, du hast abbestellt.')).toBeTruthy()
    expect(puts()).toHaveLength(1)
  })

  it('whose answer is lost shows what became of it', async () => {
    layOut()
    server.use(
      http.put(SUBSCRIPTION, async ({ request }) => {
        declined = (await note(request)).declined === true
        return new HttpResponse(null, { status: 504 })
      }),
    )
    open()
    await userEvent.click(await button('Abbestellen'))
    expect(await screen.findByText('Erledigt, du hast abbestellt.')).toBeTruthy()
  })

  it('that is refused says why, and can be pressed again', async () => {
    layOut()
    server.use(
      http.put(SUBSCRIPTION, () => refusal(429, 'Zu viele Versuche. Bitte später erneut versuchen.')),
    )
    open()
    await userEvent.click(await button('Abbestellen'))
    expect((await screen.findByRole('alert')).textContent).toContain('Zu viele Versuche.')
    expect(await button('Abbestellen')).toBeTruthy()
    expect(screen.queryByText('Erledigt, du hast abbestellt.')).toBeNull()
  })
})
