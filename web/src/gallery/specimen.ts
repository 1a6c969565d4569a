/** Types of the gallery's groups, and helpers that bring a specimen into a state that needs a press. */
import type { ReactNode } from 'react'

export interface Specimen {
  name: string
  render: () => ReactNode
  /** Brings it into its state once it is rendered: a press, or typing. */
  act?: Act
  /** The minimum height in pixels: for what opens below. */
  room?: number
}

export interface Group {
  title: string
  specimens: readonly Specimen[]
  /** Whether narrow specimens share a row where there is room. */
  columns?: boolean
  /** Runs before rendering. */
  prepare?: () => void
}

export type Act = (box: HTMLElement) => unknown

/** A callback for specimens. */
export const noop = () => {}

const settle = () => new Promise(resolve => setTimeout(resolve, 60))

/** Waits until the page has rendered the result of a press; throws if it never appears. */
async function waitForElement(box: HTMLElement, selector: string): Promise<HTMLElement> {
  for (let tries = 0; tries < 50; tries++) {
    const element = box.querySelector<HTMLElement>(selector)
    if (element !== null) return element
    await settle()
  }
  throw new Error(`${selector} never came`)
}

/** Runs steps in order, each in the state that the previous one has reached. */
export const inTurn =
  (...acts: readonly Act[]): Act =>
  async box => {
    for (const act of acts) {
      await act(box)
      await settle()
    }
  }

/** Without focusing, so that several parts can be open at a time. */
export const press =
  (selector: string): Act =>
  async box =>
    (await waitForElement(box, selector)).click()

export const type =
  (selector: string, text: string): Act =>
  async box => {
    const field = await waitForElement(box, selector)
    // React detects the change by the element's own setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
