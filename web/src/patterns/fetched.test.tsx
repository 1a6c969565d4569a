import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../tests/page'
import * as version from '../api/version'
import { Broken } from '../app/frame/Broken'
import { TextInput } from '../ui/fields'
import { useStay } from '../ui/leaving'
import { fetched, withMantine } from './fetched'

const Greeting = ({ name }: { name: string }) => <h1>{`Hallo, ${name}`}</h1>
const Name = ({ name }: { name: string }) => <TextInput label="Name" defaultValue={name} />
const Breaking = () => {
  throw new Error('broken')
}
const Typed = () => {
  useStay(true)
  return null
}
const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

// React logs every error that a boundary has caught.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

const retry = () => userEvent.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
const open = (Part: ReturnType<typeof fetched<{ name: string }>>) =>
  renderPage(
    <Broken>
      <Part name="Mia" />
    </Broken>,
  )

describe('a part that is fetched', () => {
  it('shows once it is there', async () => {
    open(fetched(async () => Greeting))
    await screen.findByRole('heading', { name: 'Hallo, Mia' })
  })

  it('says in place that it does not come, and comes at the next try that succeeds', async () => {
    const load = vi.fn(lost as () => Promise<typeof Greeting>)
    open(fetched(load))
    expect((await screen.findByRole('alert')).textContent).toContain('Server nicht erreichbar')
    await retry()
    expect((await screen.findByRole('alert')).textContent).toContain('Server nicht erreichbar')
    load.mockResolvedValue(Greeting)
    await retry()
    await screen.findByRole('heading', { name: 'Hallo, Mia' })
    expect(load).toHaveBeenCalledTimes(3)
  })

  it('says that there is a new version where the service has another instead, and loads that at a press', async () => {
    vi.spyOn(version, 'isKept').mockResolvedValue(false)
    const renew = vi.spyOn(version.newest, 'load').mockReturnValue()
    open(fetched(lost as () => Promise<typeof Greeting>))
    expect((await screen.findByRole('alert')).textContent).toContain('Eine neue Version ist da.')
    expect(renew).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Neu laden' }))
    expect(renew).toHaveBeenCalledOnce()
  })

  it('comes with the page loaded anew where the service answers and the browser fails again', async () => {
    vi.spyOn(version, 'isKept').mockResolvedValueOnce(null).mockResolvedValue(true)
    const renew = vi.spyOn(version.newest, 'load').mockReturnValue()
    open(fetched(lost as () => Promise<typeof Greeting>))
    await userEvent.click(await screen.findByRole('button', { name: 'Erneut versuchen' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Neu laden' }))
    expect(renew).toHaveBeenCalledOnce()
  })

  it('says first what would be lost by that', async () => {
    vi.spyOn(version, 'isKept').mockResolvedValue(false)
    const renew = vi.spyOn(version.newest, 'load').mockReturnValue()
    const Part = fetched(lost as () => Promise<typeof Greeting>)
    renderPage(
      <>
        <Typed />
        <Part name="Mia" />
      </>,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Neu laden' }))
    expect(screen.getByRole('alert').textContent).toContain('Speichere oder verwirf zuerst')
    expect(renew).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Neu laden' }))
    expect(renew).toHaveBeenCalledOnce()
  })

  it('is fetched anew when it is shown anew', async () => {
    const load = vi
      .fn<() => Promise<typeof Greeting>>()
      .mockImplementationOnce(lost)
      .mockResolvedValue(Greeting)
    const Part = fetched(load)
    const first = open(Part)
    await screen.findByRole('alert')
    first.unmount()
    open(Part)
    await screen.findByRole('heading', { name: 'Hallo, Mia' })
  })

  it('that breaks for a reason of its own breaks as any other', async () => {
    open(fetched<{ name: string }>(async () => Breaking))
    expect((await screen.findByRole('alert')).textContent).toContain('Da ist etwas schiefgegangen.')
  })

  it('that is made of Mantine’s brings along what these need around them', async () => {
    const Part = fetched(withMantine(async () => Name))
    render(
      <Broken>
        <Part name="Mia" />
      </Broken>,
    )
    expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Mia')
  })

  it('comes for all that or not at all', async () => {
    open(fetched(withMantine(lost as () => Promise<typeof Greeting>)))
    expect((await screen.findByRole('alert')).textContent).toContain('Server nicht erreichbar')
  })
})
