import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { usePanel } from './usePanel'

function Page() {
  const { open, button, panel, toggle, close } = usePanel<HTMLElement>()
  return (
    <>
      <button type="button">Davor</button>
      <button type="button" ref={button} aria-expanded={open} onClick={toggle}>
        Öffnen
      </button>
      {open && (
        <section ref={panel} aria-label="Tafel">
          <button type="button">Darin</button>
          <button type="button" onClick={close}>
            Wählen
          </button>
        </section>
      )}
      <button type="button">Danach</button>
      <p>Daneben</p>
    </>
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const isOpen = () => screen.queryByRole('region') !== null

async function open() {
  const user = userEvent.setup()
  render(<Page />)
  await user.click(button('Öffnen'))
  expect(isOpen()).toBe(true)
  expect(button('Öffnen').getAttribute('aria-expanded')).toBe('true')
  return user
}

describe('a panel below its button', () => {
  it('closes at a second press, and by itself what is in it', async () => {
    const user = await open()
    await user.click(button('Öffnen'))
    expect(isOpen()).toBe(false)
    expect(button('Öffnen').getAttribute('aria-expanded')).toBe('false')
    await user.click(button('Öffnen'))
    await user.click(button('Wählen'))
    expect(isOpen()).toBe(false)
  })

  it('closes at Escape, and the focus is at its button again', async () => {
    const user = await open()
    await user.click(button('Darin'))
    expect(isOpen()).toBe(true)
    await user.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(button('Öffnen'))
  })

  it('closes at a press beside it', async () => {
    const user = await open()
    await user.click(screen.getByText('Daneben'))
    expect(isOpen()).toBe(false)
  })

  it('stays while the focus moves in it, and closes once that goes on, which it does not hold back', async () => {
    const user = await open()
    for (const name of ['Darin', 'Wählen']) {
      await user.tab()
      expect(document.activeElement).toBe(button(name))
      expect(isOpen()).toBe(true)
    }
    await user.tab()
    expect(document.activeElement).toBe(button('Danach'))
    expect(isOpen()).toBe(false)
  })

  it('closes when the focus goes back past its button', async () => {
    const user = await open()
    await user.tab({ shift: true })
    expect(document.activeElement).toBe(button('Davor'))
    expect(isOpen()).toBe(false)
  })

  it('that is closed takes no notice of Escape', async () => {
    const user = await open()
    await user.click(button('Öffnen'))
    button('Danach').focus()
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(button('Danach'))
  })
})
