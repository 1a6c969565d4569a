/** The login modal in a page, its calls laid out by the test, and a person who has typed the right password. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type DefaultBodyType, HttpResponse, http, type StrictRequest } from 'msw'
import { StrictMode, useState } from 'react'
import { beforeEach, expect, vi } from 'vitest'
import { reload, type Session } from '../src/api/session'
import { LoginDialog } from '../src/features/login/LoginDialog'
import { complaintAt } from './complaints'
import { fill, renderPage } from './page'
import { MIA, serve, server, url } from './server'

interface Heard {
  path: string
  body: unknown
}

let heard: Heard[] = []
/** How cookies go along, by path; seen before the stand-in's own copy of the request, which forgets it. */
export let cookies: Record<string, string> = {}
export const calls = (path: string) => heard.filter(call => call.path === path)

/** To be called by every file that uses this. */
export function serveLogins() {
  serve()
  beforeEach(() => {
    reload()
    heard = []
    cookies = {}
    const fetched = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) => {
      if (request instanceof Request) cookies[new URL(request.url).pathname] = request.credentials
      return fetched(request, init)
    })
  })
}

type Reply = Response | (() => Response | Promise<Response>)

/** Answers a call, each time with the next reply, and goes on with the last one. */
export function on(path: string, ...replies: Reply[]) {
  let count = 0
  server.use(
    http.post(url(path), async ({ request }: { request: StrictRequest<DefaultBodyType> }) => {
      heard.push({ path, body: await request.json() })
      const reply = replies[Math.min(count, replies.length - 1)] as Reply
      count += 1
      return typeof reply === 'function' ? reply() : reply.clone()
    }),
  )
}

export const json = (body: object, status = 200, headers: Record<string, string> = {}) =>
  HttpResponse.json(body as never, { status, headers })
export const step = (next: string, more: object = {}) =>
  json({ success: true, ok: true, message: '', next, temp_token: 'temp-1', ...more })
export const session = () => json({ ok: true, message: 'Angemeldet.', ...MIA })
export const no = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  json({ ok: false, code, message, status }, status, headers)
export const sent = (resendIn?: number) => json({ ok: true, message: '', resendIn })

export const LOGIN = '/api/login'
export const SEND = '/api/auth/email/start'
export const EMAIL = '/api/auth/email/verify'
export const APP = '/api/auth/2fa/verify'
export const CHANGE = '/api/auth/password-change'

/** A page whose button opens the modal. */
export function LoginPage({ onDone }: { onDone: (session: Session) => void }) {
  const [opened, setOpened] = useState(false)
  return (
    <StrictMode>
      <button type="button" onClick={() => setOpened(true)}>
        Öffnen
      </button>
      {opened && <LoginDialog onClose={() => setOpened(false)} onDone={onDone} />}
    </StrictMode>
  )
}

export async function enter() {
  const user = userEvent.setup()
  const onDone = vi.fn<(session: Session) => void>()
  renderPage(<LoginPage onDone={onDone} />)
  await user.click(screen.getByRole('button', { name: 'Öffnen' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }))
  await fill(dialog.getByLabelText('Firmenname'), 'Holm')
  await fill(dialog.getByLabelText('Benutzername'), 'mia')
  await fill(dialog.getByLabelText('Passwort'), 'geheim')
  await user.keyboard('{Enter}')
  const press = async (name: string) => user.click(await dialog.findByRole('button', { name }))
  const field = (name: string) => dialog.findByLabelText<HTMLInputElement>(name)
  const button = (name: string) => dialog.getByRole<HTMLButtonElement>('button', { name })
  const said = async () => (await dialog.findByRole('alert')).textContent
  /** What is wrong with a field, once it is said; and it alone is said. */
  const saidAt = async (name: string) => {
    const sentence = await said()
    expect(complaintAt(await field(name))).toBe(sentence)
    return sentence
  }
  return { user, onDone, dialog, press, field, button, said, saidAt }
}

export const focused = (name: string) =>
  waitFor(() => expect((document.activeElement as HTMLInputElement).labels?.[0]?.textContent).toBe(name))
