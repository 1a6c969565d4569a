import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useLayoutEffect, useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage } from '../../tests/page'
import { held, logInAs, MIA, never, refusal, serve, server, url } from '../../tests/server'
import { api, dataOf } from '../api/client'
import { reportReached, reportUnreachable } from '../api/connectivity'
import { end, reload } from '../api/session'
import { keep, recall, wipe } from '../offline/snapshots'
import { useStored } from './useStored'

serve()
beforeEach(async () => {
  reload()
  logInAs()
  reportReached()
  await wipe()
})

const PATH = '/api/companies/c-1'
const NAME = 'company/c-1'

function Name({ userId = MIA.userId }: { userId?: string }) {
  const view = useStored({
    userId,
    key: ['company', userId, 'c-1'],
    ask: async signal =>
      dataOf(await api.GET('/api/companies/{id}', { params: { path: { id: 'c-1' } }, signal })),
  })
  return (
    <p>
      {view.data?.name ?? 'nichts'} {view.stored ? 'aus dem Speicher' : ''}{' '}
      {view.savedAt === null ? '' : `von ${view.savedAt}`} {view.error === null ? '' : 'Fehler'}
    </p>
  )
}

interface CompanyProps {
  id: string
  onDrawn: (what: string) => void
}

function Company({ id, onDrawn }: CompanyProps) {
  const view = useStored({
    userId: MIA.userId,
    key: ['company', MIA.userId, id],
    ask: async signal => dataOf(await api.GET('/api/companies/{id}', { params: { path: { id } }, signal })),
  })
  const name = view.data?.name ?? 'nichts'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listener is new each time
  useLayoutEffect(() => onDrawn(`${id}: ${name}`), [id, name])
  return <p>{name}</p>
}

function Two({ onDrawn }: Pick<CompanyProps, 'onDrawn'>) {
  const [id, setId] = useState('a')
  return (
    <>
      <Company id={id} onDrawn={onDrawn} />
      <button type="button" onClick={() => setId(id === 'a' ? 'b' : 'a')}>
        Wechseln
      </button>
    </>
  )
}

const serves = (name: string) => server.use(http.get(url(PATH), () => HttpResponse.json({ id: 'c-1', name })))
const expectShown = (words: string | RegExp) => screen.findByText(words)

const expectKept = (name: string, userId = MIA.userId) =>
  waitFor(async () => expect((await recall(userId, NAME))?.data).toEqual({ id: 'c-1', name }))

describe('what can be read offline', () => {
  it('comes from the service, and is kept on the device', async () => {
    serves('Holm')
    renderPage(<Name />)
    await expectShown(/^Holm\s+von \d+/)
    await expectKept('Holm')
  })

  it('comes from the device while the service does not answer, and from the service once it does', async () => {
    await keep(MIA.userId, NAME, { id: 'c-1', name: 'Alt' }, 7)
    const { answer, release } = held(() => HttpResponse.json({ id: 'c-1', name: 'Neu' }))
    server.use(http.get(url(PATH), answer))
    renderPage(<Name />)
    await expectShown('Alt aus dem Speicher von 7')
    release()
    await expectShown(/^Neu\s+von \d+/)
    await expectKept('Neu')
  })

  it('comes from the device at once when the service is out of reach', async () => {
    await keep(MIA.userId, NAME, { id: 'c-1', name: 'Alt' }, 7)
    server.use(http.get(url(PATH), () => HttpResponse.error()))
    reportUnreachable()
    renderPage(<Name />)
    await expectShown(/Alt aus dem Speicher von 7/)
  })

  it('comes from the device when the service refuses, with the failure', async () => {
    await keep(MIA.userId, NAME, { id: 'c-1', name: 'Alt' }, 7)
    server.use(http.get(url(PATH), () => refusal(500, 'Müde.')))
    renderPage(<Name />)
    await expectShown('Alt aus dem Speicher von 7 Fehler')
  })

  it('is nobody else’s', async () => {
    await keep('u-2', NAME, { id: 'c-1', name: 'Fremd' }, 7)
    await keep(MIA.userId, 'company/c-2', { id: 'c-2', name: 'Eigen' }, 7)
    server.use(http.get(url('/api/companies/:id'), never))
    renderPage(
      <>
        <Company id="c-1" onDrawn={() => undefined} />
        <Company id="c-2" onDrawn={() => undefined} />
      </>,
    )
    // The store is asked in this order.
    await expectShown('Eigen')
    expect(screen.getByText('nichts')).toBeTruthy()
  })

  it('is never shown under another name, and at once where it is known already', async () => {
    server.use(
      http.get(url('/api/companies/:id'), ({ params }) =>
        HttpResponse.json({ id: params.id, name: `Firma ${params.id}` }),
      ),
    )
    const drawnTexts: string[] = []
    renderPage(<Two onDrawn={what => void drawnTexts.push(what)} />)
    await expectShown('Firma a')
    await userEvent.click(screen.getByRole('button'))
    await expectShown('Firma b')
    await userEvent.click(screen.getByRole('button'))
    await expectShown('Firma a')
    expect(drawnTexts).toEqual(['a: nichts', 'a: Firma a', 'b: nichts', 'b: Firma b', 'a: Firma a'])
  })

  it('is not kept for somebody who has logged out meanwhile', async () => {
    const { answer, asked, release } = held(() => HttpResponse.json({ id: 'c-1', name: 'Holm' }))
    server.use(http.get(url(PATH), answer))
    renderPage(<Name />)
    await asked
    act(() => end('logout'))
    release()
    // Another user's query runs after that and is stored after that.
    act(() => logInAs({ ...MIA, userId: 'u-2' }))
    renderPage(<Name userId="u-2" />)
    await expectKept('Holm', 'u-2')
    expect(await recall(MIA.userId, NAME)).toBeNull()
  })
})
