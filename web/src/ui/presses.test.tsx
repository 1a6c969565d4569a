import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepPresses } from './presses'

const pointerInit = (x: number, y: number, more: object = {}) => ({
  bubbles: true,
  cancelable: true,
  clientX: x,
  clientY: y,
  detail: 1,
  ...more,
})

const down = (on: Element, x = 10, y = 10) =>
  on.dispatchEvent(new PointerEvent('pointerdown', pointerInit(x, y, { isPrimary: true, button: 0 })))
const click = (on: Element, x = 10, y = 10, detail = 1) =>
  on.dispatchEvent(new MouseEvent('click', pointerInit(x, y, { detail })))

describe('a press', () => {
  let end = () => {}
  const pressed = vi.fn()
  const otherListener = vi.fn()
  const around = vi.fn()

  function layOut() {
    document.body.innerHTML =
      '<main><p></p><button id="own"><b>Archiv</b></button><button id="other"></button></main>'
    const [main, own, other] = ['main', '#own', '#other'].map(
      name => document.querySelector(name) as HTMLElement,
    )
    main?.addEventListener('click', around)
    own?.addEventListener('click', pressed)
    other?.addEventListener('click', otherListener)
    return { main, own, other } as Record<'main' | 'own' | 'other', HTMLElement>
  }

  beforeEach(() => {
    vi.clearAllMocks()
    end = keepPresses()
  })
  afterEach(() => end())

  it('counts once where the page stays', () => {
    const { own } = layOut()
    const word = own.firstElementChild as HTMLElement
    down(word)
    click(word)
    expect(pressed).toHaveBeenCalledTimes(1)
  })

  it('counts for its button when the page has moved it away, and for nothing else', () => {
    const { main, own, other } = layOut()
    down(own)
    click(main)
    expect(pressed).toHaveBeenCalledTimes(1)
    expect(around).toHaveBeenCalledTimes(1)
    down(own)
    click(other)
    expect(pressed).toHaveBeenCalledTimes(2)
    expect(otherListener).not.toHaveBeenCalled()
  })

  it('is taken back by leaving the button', () => {
    const { main, own } = layOut()
    down(own)
    click(main, 10, 40)
    expect(pressed).not.toHaveBeenCalled()
    click(main)
    expect(pressed).not.toHaveBeenCalled()
  })

  it('is over with its button', () => {
    const { main, own } = layOut()
    down(own)
    own.remove()
    click(main)
    expect(pressed).not.toHaveBeenCalled()
    expect(around).toHaveBeenCalledTimes(1)
  })

  it('of a key stays where the focus is', () => {
    const { own, other } = layOut()
    down(own)
    click(other, 0, 0, 0)
    expect(pressed).not.toHaveBeenCalled()
    expect(otherListener).toHaveBeenCalledTimes(1)
  })
})
