import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { layEvents } from '../../tests/events'
import { renderPage } from '../../tests/page'
import { logInAs, serve, server, url } from '../../tests/server'
import { api, ignoreNotFound } from '../api/client'
import { reportReached } from '../api/connectivity'
import { reload } from '../api/session'
import { Older } from './Older'
import { QueryView } from './QueryView'
import { useChange } from './useChange'
import { keyOf, useGet } from './useGet'
import { usePages } from './usePages'

serve()

const OF_COMPANY = '/api/companies/{id}'
let name: string
let requestCount: number
let refuse: boolean

const no = () => HttpResponse.json({ code: 'forbidden', message: 'Das darfst du nicht.' }, { status: 403 })

beforeEach(() => {
  reload()
  logInAs()
  reportReached()
  name = 'Holm'
  requestCount = 0
  refuse = false
  server.use(
    http.get(url('/api/companies/c-1'), () => {
      requestCount += 1
      return refuse ? no() : HttpResponse.json({ id: 'c-1', name })
    }),
  )
})

function Company({ id = 'c-1' as string | null, live }: { id?: string | null; live?: readonly string[] }) {
  const query = useGet(OF_COMPANY, id === null ? null : { path: { id } }, live === undefined ? {} : { live })
  return (
    <>
      <p>{query.live ? 'live' : 'still'}</p>
      <QueryView query={query} failed="Nicht geladen." skeleton={null}>
        {company => <p>{company.name}</p>}
      </QueryView>
    </>
  )
}

function Inquiries() {
  const { list, rows } = usePages('/api/inquiries', {})
  return (
    <QueryView query={rows} failed="Nicht geladen." skeleton={null}>
      {all => (
        <>
          <p>{all.map(({ id }) => id).join(' ')}</p>
          <Older list={list} texts={{ more: 'Ältere', noMore: 'Alle', moreFailed: 'Nein', failed: 'Nein' }} />
        </>
      )}
    </QueryView>
  )
}

function Removing() {
  const removing = useChange(
    async () => ignoreNotFound(await api.DELETE(OF_COMPANY, { params: { path: { id: 'c-1' } } })),
    'Nicht gelöscht.',
    [keyOf(OF_COMPANY, { path: { id: 'c-1' } })],
  )
  return (
    <>
      <Company />
      <button type="button" onClick={() => removing.run(undefined)}>
        {removing.failure?.detail ?? 'Weg damit'}
      </button>
    </>
  )
}

describe('what is read', () => {
  it('is refused in a sentence, and can be asked for again', async () => {
    refuse = true
    renderPage(<Company />)
    expect(await screen.findByText('Das darfst du nicht.')).toBeTruthy()
    refuse = false
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    expect(await screen.findByText('Holm')).toBeTruthy()
  })

  it('is not asked for without knowing what', async () => {
    renderPage(<Company id={null} />)
    expect(await screen.findByText('still')).toBeTruthy()
    expect(requestCount).toBe(0)
  })

  it('is asked for anew when the service tells of a change, and only where somebody wants to know', async () => {
    const events = layEvents()
    renderPage(<Company live={['plan_update']} />)
    expect(await screen.findByText('Holm')).toBeTruthy()
    expect(await screen.findByText('live')).toBeTruthy()
    name = 'Holm & Söhne'
    events.open[0]?.say({ type: 'plan_update' })
    expect(await screen.findByText('Holm & Söhne')).toBeTruthy()
  })

  it('opens no stream where nobody wants to know', async () => {
    const events = layEvents()
    renderPage(<Company />)
    expect(await screen.findByText('Holm')).toBeTruthy()
    expect(events.asked).toEqual([])
  })
})

describe('a list that comes in pages', () => {
  it('grows by what is older, and what is there stays where that is refused', async () => {
    server.use(
      http.get(url('/api/inquiries'), ({ request }) => {
        const beforeId = new URL(request.url).searchParams.get('before')
        if (refuse) return no()
        return beforeId === null
          ? HttpResponse.json([{ id: 'b' }], { headers: { Link: '</api/inquiries?before=b>; rel="next"' } })
          : HttpResponse.json([{ id: 'a' }])
      }),
    )
    renderPage(<Inquiries />)
    refuse = (await screen.findByText('b')) !== null
    await userEvent.click(screen.getByRole('button', { name: 'Ältere' }))
    await screen.findByText('Das darfst du nicht.')
    expect(screen.getByText('b')).toBeTruthy()
    refuse = false
    await userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    expect(await screen.findByText('b a')).toBeTruthy()
    expect(screen.getByText('Alle')).toBeTruthy()
  })
})

it('who is refused a change sees what there is by now', async () => {
  server.use(
    http.delete(url('/api/companies/c-1'), () => {
      name = 'Holm GmbH'
      return no()
    }),
  )
  renderPage(<Removing />)
  expect(await screen.findByText('Holm')).toBeTruthy()
  await userEvent.click(screen.getByRole('button'))
  expect(await screen.findByText('Holm GmbH')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Das darfst du nicht.' })).toBeTruthy()
})
