import { afterEach, describe, expect, it, vi } from 'vitest'
import { colourOf, draw, FALLBACK, isSoftware, OPACITY, SPEED, STEPS } from './light'

afterEach(() => vi.restoreAllMocks())

/** A canvas whose context records its calls, and the renderer's name. */
function canvasDrawnBy(renderer: string | null) {
  const glCalls: [string, unknown[]][] = []
  const answers: Record<string, unknown> = {
    getExtension: null,
    getParameter: renderer,
    getProgramParameter: true,
    createProgram: {},
    createShader: {},
  }
  const gl = new Proxy({} as WebGLRenderingContext, {
    get: (_, name: string) =>
      name === name.toUpperCase()
        ? name
        : (...all: unknown[]) => {
            glCalls.push([name, all])
            return name === 'getUniformLocation' ? all[1] : answers[name]
          },
  })
  const canvas = document.createElement('canvas')
  const getContext = vi.fn(() => (renderer === null ? null : gl))
  Object.assign(canvas, { getContext })
  Object.defineProperties(canvas, { clientWidth: { value: 800 }, clientHeight: { value: 600 } })
  return { canvas, told: glCalls, getContext }
}

describe('the colour of the rays', () => {
  it('is read from three or six digits', () => {
    expect(colourOf('#ff0080')).toEqual([1, 0, 128 / 255])
    expect(colourOf(' #F08 ')).toEqual([1, 0, 136 / 255])
  })

  it.each(['', 'orange', '#12', '#12345g', 'rgb(1,2,3)', '#1234567'])(
    'is orange in place of %j, with a warning',
    hex => {
      const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      expect(colourOf(hex)).toEqual(FALLBACK)
      expect(warned).toHaveBeenCalledOnce()
    },
  )
})

describe('the rays', () => {
  it('are what the documents say: 60 steps, opacity 0.55, speed 1.05', () => {
    const { canvas, told } = canvasDrawnBy('Adreno 640')
    draw(canvas, '#f97316')
    const sources = told.filter(([name]) => name === 'shaderSource').map(([, [, source]]) => String(source))
    expect(sources.join()).toContain(`step < ${STEPS}`)
    expect([STEPS, OPACITY, SPEED]).toEqual([60, 0.55, 1.05])
  })

  it('have at most two pixels a point', () => {
    vi.stubGlobal('devicePixelRatio', 3)
    const { canvas } = canvasDrawnBy('Adreno 640')
    draw(canvas, '#f97316')
    expect([canvas.width, canvas.height]).toEqual([1600, 1200])
    vi.unstubAllGlobals()
  })

  it.each(['Google SwiftShader', 'llvmpipe (LLVM 15)', 'Microsoft Basic Render Driver'])(
    'are left out where %s would draw them',
    renderer => {
      vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      const { canvas, told } = canvasDrawnBy(renderer)
      expect(draw(canvas, '#f97316')).toBeNull()
      expect(told.some(([name]) => name === 'drawArrays')).toBe(false)
    },
  )

  it('are left out where there is no graphics processor, with a warning and nothing worse', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { canvas, getContext } = canvasDrawnBy(null)
    expect(draw(canvas, '#f97316')).toBeNull()
    expect(getContext).toHaveBeenCalledWith(
      'webgl',
      expect.objectContaining({ failIfMajorPerformanceCaveat: true }),
    )
    expect(warned).toHaveBeenCalledOnce()
  })

  it('are painted once while they rest, and move only when told to', () => {
    const frames: FrameRequestCallback[] = []
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation(frame => frames.push(frame))
    vi.spyOn(window, 'cancelAnimationFrame').mockImplementation(() => undefined)
    const { canvas, told } = canvasDrawnBy('Adreno 640')
    const times = () => told.filter(([name, [place]]) => name === 'uniform1f' && place === 'time')
    const rays = draw(canvas, '#f97316')
    expect(times()).toHaveLength(1)
    expect(frames).toHaveLength(0)
    rays?.run(true)
    rays?.run(true)
    expect(frames).toHaveLength(1)
    frames[0]?.(1_000)
    frames[1]?.(2_000)
    expect(times().at(-1)?.[1][1]).toBeCloseTo(SPEED)
    rays?.run(false)
    rays?.run(true)
    frames.at(-1)?.(9_000)
    expect(times().at(-1)?.[1][1]).toBeCloseTo(SPEED)
  })

  it('know software when they see it', () => {
    const { canvas } = canvasDrawnBy('ANGLE (Apple, Apple M2)')
    expect(isSoftware(canvas.getContext('webgl') as WebGLRenderingContext)).toBe(false)
  })
})
