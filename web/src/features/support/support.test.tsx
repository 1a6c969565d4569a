import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../../tests/events'
import { eventually } from '../../../tests/eventually'
import { renderPage, success } from '../../../tests/page'
import { logInAs, MIA, refusal, serve, server, url } from '../../../tests/server'
import { reportReached } from '../../api/connectivity'
import { reload, type Session } from '../../api/session'
import { InboxPage } from './InboxPage'
import { SupportPage } from './SupportPage'
import { RECEIVED } from './samples'

serve()

const CHEF: Session = { ...MIA, role: 'companyAdmin' }
let sent: unknown[] = []
beforeEach(() => {
  reload()
  reportReached()
  logInAs(CHEF)
  sent = []
  layEvents()
})

const taking = (path: string, answer: () => Response, method: 'post' | 'put' = 'post') =>
  server.use(
    http[method](url(path), async ({ request }) => {
      sent.push(await request.json())
      return answer()
    }),
  )

function openOwn(rows: readonly object[] = RECEIVED) {
  server.use(http.get(url('/api/companies/c-1/support/messages'), () => HttpResponse.json([...rows])))
  renderPage(<SupportPage session={CHEF} />)
}

function openInbox(answer: (status: string | null) => Response = () => HttpResponse.json([...RECEIVED])) {
  const statuses: (string | null)[] = []
  server.use(
    http.get(url('/api/support/messages'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      statuses.push(searchParams.get('status'))
      return answer(searchParams.get('status'))
    }),
  )
  renderPage(<InboxPage />)
  return statuses
}

describe('a company’s question', () => {
  it('without subject or message is not sent', async () => {
    openOwn([])
    await userEvent.click(await screen.findByRole('button', { name: 'Nachricht senden' }))
    expect(await screen.findAllByText('Bitte Betreff und Nachricht ausfüllen.')).toHaveLength(2)
    expect(await screen.findByText('Du hast dem Support noch nicht geschrieben.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('that cannot be sent stays as it was typed', async () => {
    openOwn([])
    taking('/api/support/messages', () => refusal(500))
    await userEvent.type(await screen.findByLabelText(/^Betreff/), 'Uhr stumm')
    await userEvent.type(screen.getByRole('textbox', { name: /^Nachricht/ }), 'Seit gestern.')
    await userEvent.click(screen.getByRole('button', { name: 'Nachricht senden' }))
    expect(await screen.findByText('Senden fehlgeschlagen. Bitte später erneut versuchen.')).toBeTruthy()
    expect((screen.getByLabelText(/^Betreff/) as HTMLInputElement).value).toBe('Uhr stumm')
  })

  it('is sent with what stands there by itself, and without an address that nobody gave', async () => {
    openOwn([])
    taking('/api/support/messages', () => HttpResponse.json(RECEIVED[0] ?? {}, { status: 201 }))
    await userEvent.type(await screen.findByLabelText(/^Betreff/), 'Uhr stumm')
    await userEvent.type(screen.getByRole('textbox', { name: /^Nachricht/ }), 'Seit gestern.')
    await userEvent.click(screen.getByRole('button', { name: 'Nachricht senden' }))
    await success('Nachricht erfolgreich an den Support gesendet.')
    expect(sent).toEqual([
      {
        companyId: 'c-1',
        subject: 'Uhr stumm',
        category: 'question',
        priority: 'normal',
        message: 'Seit gestern.',
        includeLogs: true,
      },
    ])
    expect((screen.getByLabelText(/^Betreff/) as HTMLInputElement).value).toBe('')
  })

  it('is read with its answers, and answered', async () => {
    openOwn()
    taking('/api/support/messages/s-2/replies', () =>
      HttpResponse.json({ at: '2026-11-20T09:00:00.000Z', by: 'Chef', message: 'Ja.' }, { status: 201 }),
    )
    await userEvent.click(await screen.findByText('Die Uhr in der Werkstatt piept nicht mehr'))
    expect(screen.getByText('Ist der Ton an der Uhr auf null gestellt?')).toBeTruthy()
    await userEvent.type(screen.getAllByLabelText('Antwort')[0] as HTMLElement, ' Ja. ')
    await userEvent.click(screen.getAllByRole('button', { name: 'Antwort senden' })[0] as HTMLElement)
    await success('Antwort gesendet.')
    expect(sent).toEqual([{ message: 'Ja.' }])
  })
})

describe('the operator’s inbox', () => {
  it('that could not be had says so', async () => {
    openInbox(() => refusal(500))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Support-Nachrichten konnten nicht geladen werden.',
    )
  })

  it('begins with what is open, and can be asked for others', async () => {
    const statuses = openInbox(status => HttpResponse.json(status === 'open' ? [...RECEIVED] : []))
    await screen.findByText('Rechnung für Oktober')
    await userEvent.click(screen.getByRole('combobox', { name: 'Status' }))
    await userEvent.click(await screen.findByRole('option', { name: 'geschlossen' }))
    expect(await screen.findByText('Hier ist nichts.')).toBeTruthy()
    expect([...new Set(statuses)]).toEqual(['open', 'closed'])
  })

  it('is asked for anew when somebody writes, and keeps what is being answered', async () => {
    let rows: readonly object[] = RECEIVED.slice(1)
    const events = layEvents()
    const statuses = openInbox(() => HttpResponse.json([...rows]))
    await screen.findByText('Rechnung für Oktober')
    await userEvent.type(screen.getByLabelText('Antwort'), 'Machen wir.')
    rows = RECEIVED
    await eventually(() => expect(events.open).toHaveLength(1))
    events.open[0]?.say({ type: 'support_update' })
    await screen.findByText('Die Uhr in der Werkstatt piept nicht mehr')
    expect(screen.getByDisplayValue('Machen wir.')).toBeTruthy()
    expect(statuses.every(status => status === 'open')).toBe(true)
  })

  it('shows whose it is, how to answer, and the logs behind a line', async () => {
    openInbox()
    const [first, second] = within(
      await screen.findByRole('list', { name: 'Support-Nachrichten' }),
    ).getAllByRole('listitem')
    expect(first?.textContent).toContain('dringend')
    expect(first?.textContent).toContain('sound_failed: Der Ton konnte nicht ausgegeben werden.')
    expect(
      within(first as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe('mailto:ingrid@holm.example')
    expect(document.body.textContent).toContain('keine E-Mail angegeben')
    expect(second?.textContent).not.toContain('Protokolle beigefügt')
  })

  it('changes the status, and says where it could not', async () => {
    openInbox()
    taking('/api/support/messages/s-2', () => refusal(500), 'put')
    const [status] = await screen.findAllByRole('combobox', { name: 'Status der Nachricht' })
    await userEvent.click(status as HTMLElement)
    await userEvent.click(
      (await screen.findAllByRole('option', { name: 'in Bearbeitung' }))[0] as HTMLElement,
    )
    expect(await screen.findByText('Status konnte nicht geändert werden.')).toBeTruthy()
    expect(sent).toEqual([{ status: 'in_progress' }])
  })
})
