/**
 * Rays of light in the background of the landing page, drawn with WebGL. They are decoration: any failure logs a
 * warning, and the page keeps its plain background.
 */

/** The number of samples along each ray. */
export const STEPS = 60
export const MOST_PIXELS_PER_POINT = 2
export const OPACITY = 0.55
export const SPEED = 1.05
/** Orange, for invalid colours. */
export const FALLBACK: Colour = [0.976, 0.451, 0.086]

// biome-ignore lint/suspicious/noConsole: decoration that fails is nothing a person has to know
const warn = (why: string) => console.warn(`rays: ${why}`)

/** Red, green and blue, from 0 to 1. */
export type Colour = readonly [number, number, number]

/** Three or six digits after a hash; anything else logs one warning, and is orange. */
export function colourOf(hex: string): Colour {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex.trim())?.[1]
  if (digits === undefined) {
    warn(`"${hex}" is no hex colour`)
    return FALLBACK
  }
  const full = digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits
  const part = (at: number) => Number.parseInt(full.slice(at, at + 2), 16) / 255
  return [part(0), part(2), part(4)]
}

/** Software renderers run on the CPU that the page needs, and cost more than they give. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

export function isSoftware(gl: WebGLRenderingContext): boolean {
  const rendererInfo = gl.getExtension('WEBGL_debug_renderer_info')
  const name = gl.getParameter(rendererInfo === null ? gl.RENDERER : rendererInfo.UNMASKED_RENDERER_WEBGL)
  return SOFTWARE.test(String(name))
}

const CORNERS = new Float32Array([-1, -1, 3, -1, -1, 3])

const VERTEX = 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }'

/** Light from the top right, in beams modulated by slow noise. */
const FRAGMENT = `
precision highp float;
uniform vec2 size;
uniform float time;
uniform vec3 colour;
float wave(float angle) {
  return 0.5 + 0.28 * sin(angle * 17.0 + time * 0.21) + 0.22 * sin(angle * 31.0 - time * 0.33);
}
void main() {
  vec2 at = gl_FragCoord.xy / size;
  vec2 source = vec2(0.82, 1.18);
  vec2 way = (at - source) * vec2(size.x / size.y, 1.0);
  float angle = atan(way.y, way.x);
  float light = 0.0;
  for (int step = 0; step < ${STEPS}; step++) {
    float share = float(step) / ${STEPS}.0;
    light += wave(angle + 0.02 * sin(time * 0.11 + share * 6.2832)) * exp(-2.2 * share * length(way));
  }
  light = light / ${STEPS}.0 * smoothstep(1.9, 0.0, length(way));
  float strength = light * ${OPACITY.toFixed(2)};
  gl_FragColor = vec4(colour * strength, strength);
}`

/** The controls of the rays: stop, pause and resume; null if they are not drawn. */
export interface Rays {
  run: (moving: boolean) => void
  resize: () => void
  stop: () => void
}

export function draw(canvas: HTMLCanvasElement, hex: string): Rays | null {
  const gl = canvas.getContext('webgl', {
    alpha: true,
    antialias: false,
    premultipliedAlpha: true,
    failIfMajorPerformanceCaveat: true,
  })
  if (gl === null || isSoftware(gl)) {
    warn('no graphics processor draws them')
    return null
  }
  const program = programOf(gl)
  if (program === null) return null
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, CORNERS, gl.STATIC_DRAW)
  const attribute = gl.getAttribLocation(program, 'at')
  gl.enableVertexAttribArray(attribute)
  gl.vertexAttribPointer(attribute, 2, gl.FLOAT, false, 0, 0)
  gl.uniform3fv(gl.getUniformLocation(program, 'colour'), new Float32Array(colourOf(hex)))
  const size = gl.getUniformLocation(program, 'size')
  const time = gl.getUniformLocation(program, 'time')

  let frame = 0
  let seconds = 0
  let lastFrameAt: number | null = null
  const paint = () => {
    gl.uniform1f(time, seconds)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
  }
  const turn = (now: number) => {
    seconds += ((now - (lastFrameAt ?? now)) / 1_000) * SPEED
    lastFrameAt = now
    paint()
    frame = requestAnimationFrame(turn)
  }
  const pause = () => {
    cancelAnimationFrame(frame)
    frame = 0
    lastFrameAt = null
  }
  const resize = () => {
    const scale = Math.min(window.devicePixelRatio, MOST_PIXELS_PER_POINT)
    canvas.width = Math.round(canvas.clientWidth * scale)
    canvas.height = Math.round(canvas.clientHeight * scale)
    gl.viewport(0, 0, canvas.width, canvas.height)
    gl.uniform2f(size, canvas.width, canvas.height)
    paint()
  }
  resize()
  return {
    resize,
    run: moving => {
      if (moving && frame === 0) frame = requestAnimationFrame(turn)
      if (!moving) pause()
    },
    stop: () => {
      pause()
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

function programOf(gl: WebGLRenderingContext): WebGLProgram | null {
  const program = gl.createProgram()
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind)
    if (shader === null) return null
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    warn(gl.getProgramInfoLog(program) ?? 'the program does not link')
    return null
  }
  // biome-ignore lint/correctness/useHookAtTopLevel: WebGL's own word, and no hook
  gl.useProgram(program)
  return program
}
