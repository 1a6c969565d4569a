import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useCallback, useRef, useState } from 'react'
import { Link } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { renderPage, renderRoutes } from '../../tests/page'
import { logInAs } from '../../tests/server'
import { end, reload } from '../api/session'
import { currentHold, type Hold, useHolder, useStay } from './leaving'

beforeEach(() => {
  reload()
  logInAs()
})

function Holder({ hold }: { hold: Hold | null }) {
  const present = useRef(hold)
  present.current = hold
  useHolder(useCallback(() => present.current, []))
  return null
}

function Secret({ needed }: { needed: boolean }) {
  useStay(needed)
  return null
}

/** Whether the browser would ask before the window goes. */
function asks(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

describe('a page', () => {
  it('is held by whoever holds it, for as long as they are shown; by a secret before a form', () => {
    const { rerender, unmount } = render(<Holder hold={null} />)
    expect(currentHold()).toBeNull()
    rerender(<Holder hold="ask" />)
    expect(currentHold()).toBe('ask')
    const secret = render(<Secret needed />)
    expect(currentHold()).toBe('stay')
    secret.rerender(<Secret needed={false} />)
    expect(currentHold()).toBe('ask')
    unmount()
    expect(currentHold()).toBeNull()
  })

  it('lets the window go unless something holds it', () => {
    expect(asks()).toBe(false)
    const { rerender, unmount } = render(<Holder hold={null} />)
    expect(asks()).toBe(false)
    rerender(<Holder hold="ask" />)
    expect(asks()).toBe(true)
    const secret = render(<Secret needed />)
    unmount()
    expect(asks()).toBe(true)
    secret.unmount()
    expect(asks()).toBe(false)
  })
})

function Form({ hold }: { hold: Hold | null }) {
  const [present, hand] = useState(hold)
  return (
    <>
      <Holder hold={present} />
      <button type="button" onClick={() => hand(null)}>
        Fertig
      </button>
      <Link to="/weiter">Weiter</Link>
    </>
  )
}

async function open(hold: Hold | null) {
  const page = renderRoutes(
    [
      { path: '/', element: <Link to="/hier">Hin</Link> },
      { path: '/hier', element: <Form hold={hold} /> },
      { path: '/weiter', element: null },
    ],
    '/',
  )
  await userEvent.click(screen.getByText('Hin'))
  const leave = () => userEvent.click(screen.getByText('Weiter'))
  const back = () => act(() => page.history.go(-1))
  return { ...page, leave, back }
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('leaving a page', () => {
  it('with nothing on it happens at once', async () => {
    const { leave, where } = await open(null)
    await leave()
    expect(where()).toBe('/weiter')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each([
    ['by a link', '/weiter', 'leave'],
    ['by the browser’s Back', '/', 'back'],
  ] as const)('that holds what is not saved is asked for first, %s', async (_way, there, way) => {
    const page = await open('ask')
    await page[way]()
    await screen.findByRole('dialog', { name: 'Nicht gespeicherte Änderungen' })
    expect(page.where()).toBe('/hier')
    await press('Weiter bearbeiten')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(page.where()).toBe('/hier')
    await page[way]()
    await press('Verwerfen')
    await waitFor(() => expect(page.where()).toBe(there))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each(['leave', 'back'] as const)(
    'that shows a secret does not happen, nor is it asked for (%s)',
    async way => {
      const page = await open('stay')
      await page[way]()
      expect(page.where()).toBe('/hier')
      expect(screen.queryByRole('dialog')).toBeNull()
      await press('Fertig')
      await page[way]()
      await waitFor(() => expect(page.where()).toBe(way === 'leave' ? '/weiter' : '/'))
    },
  )

  it('is no question for who is logged out', async () => {
    const { leave, where } = await open('ask')
    act(() => end('expired'))
    await leave()
    expect(where()).toBe('/weiter')
  })
})

it('what is asked holds until it is answered, also where two ask', async () => {
  const { go, where } = renderPage(
    <>
      <Holder hold="ask" />
      <Holder hold="ask" />
    </>,
    '/hier',
  )
  go('/weiter')
  expect(await screen.findAllByRole('dialog')).toHaveLength(1)
  expect(where()).toBe('/hier')
})
