import { act, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Events, layEvents } from '../../tests/events'
import { eventually } from '../../tests/eventually'
import { renderPage } from '../../tests/page'
import { held, logInAs, MIA, serve, server, url } from '../../tests/server'
import { api, dataOf } from '../api/client'
import { reportReached } from '../api/connectivity'
import { reload } from '../api/session'
import { useFollow } from './useFollow'
import { useStored } from './useStored'

serve()

let events: Events
/** The service's answers, one after the other; the last one repeats. */
let answers: ((() => Response | Promise<Response>) | string)[]
let requestCount: number

beforeEach(() => {
  reload()
  logInAs()
  reportReached()
  events = layEvents()
  requestCount = 0
  server.use(
    http.get(url('/api/companies/c-1'), () => {
      const [next = 'nichts'] = answers.length > 1 ? answers.splice(0, 1) : answers
      return typeof next === 'string' ? HttpResponse.json({ id: 'c-1', name: next }) : next()
    }),
  )
})

function Followed() {
  const live = useFollow(['plan_update'], { queryKey: ['company'] })
  const { data } = useStored({
    userId: MIA.userId,
    key: ['company', MIA.userId, 'c-1'],
    ask: async signal => {
      requestCount += 1
      return dataOf(await api.GET('/api/companies/{id}', { params: { path: { id: 'c-1' } }, signal }))
    },
  })
  return (
    <p>
      {data?.name} {live ? 'live' : ''}
    </p>
  )
}

/** A page, and another one after it. */
function Pages() {
  const [second, show] = useState(false)
  useFollow([], { queryKey: ['nothing'] })
  return second ? <Followed /> : <button type="button" onClick={() => show(true)} />
}

describe('what a page follows', () => {
  it('is shown as soon as it has come, and asked for once more where the stream was opened meanwhile', async () => {
    const first = held(() => HttpResponse.json({ id: 'c-1', name: 'früh' }))
    const second = held(() => HttpResponse.json({ id: 'c-1', name: 'spät' }))
    answers = [first.answer, second.answer]
    renderPage(<Followed />)
    await first.asked
    await eventually(() => expect(events.open).toHaveLength(1))
    await screen.findByText('live')
    first.release()
    await screen.findByText('früh live')
    await second.asked
    second.release()
    await screen.findByText('spät live')
    expect(requestCount).toBe(2)
  })

  it('is given up while it is under way, and asked anew, when the service says that it has changed', async () => {
    const first = held(() => HttpResponse.json({ id: 'c-1', name: 'von vorher' }))
    answers = [first.answer, 'von nachher']
    renderPage(<Followed />)
    await first.asked
    await screen.findByText('live')
    events.open[0]?.say({ type: 'plan_update' })
    await screen.findByText('von nachher live')
    first.release()
  })

  it('is asked for once by a page that comes while the stream is open', async () => {
    answers = ['einmal', 'nach der Änderung']
    renderPage(<Pages />)
    await eventually(() => expect(events.open).toHaveLength(1))
    act(() => screen.getByRole('button').click())
    await screen.findByText('einmal live')
    expect(requestCount).toBe(1)
    // All other queries have run before the next event.
    events.open[0]?.say({ type: 'plan_update' })
    await screen.findByText('nach der Änderung live')
    expect(requestCount).toBe(2)
  })
})
