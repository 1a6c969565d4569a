/**
 * Transfers files to and from the service, with progress. Other calls give up after 15 s; a transfer continues while
 * data moves, and gives up after half a minute without any.
 *
 * Uploads use `XMLHttpRequest`, since `fetch` does not report upload progress.
 */
import { reportFailed, reportReached } from '../api/connectivity'
import { Refused, Unanswered, Unreachable } from '../api/failures'
import { currentSession, end } from '../api/session'

export const STANDSTILL_MS = 30_000

/** The transferred share: from 0 to 1; null if the total is unknown. */
export type Progress = number | null

interface Transfer {
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}

/** Uploads a form with files; returns the service's answer. Throws `Refused`, `Unanswered`, or the signal's reason. */
export function send(path: string, form: FormData, { onProgress, signal }: Transfer = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const token = currentSession()?.token
    const call = new XMLHttpRequest()
    const watch = standstill(() => call.abort())
    const over = (settle: () => void) => {
      watch.stop()
      signal?.removeEventListener('abort', stop)
      settle()
    }
    const stop = () => call.abort()
    const failed = () => {
      if (signal?.aborted === true) return reject(signal.reason)
      reportFailed()
      reject(new Unanswered())
    }
    call.upload.onprogress = event => {
      watch.moved()
      onProgress?.(event.lengthComputable ? event.loaded / event.total : null)
    }
    call.onprogress = watch.moved
    call.onload = () =>
      over(() => {
        reportReached()
        const body = parsed(call.responseText)
        if (call.status < 400) return resolve(body)
        if (call.status === 401 && token === currentSession()?.token) end('expired')
        reject(new Refused(call.status, body, headersOf(call)))
      })
    call.onerror = () => over(failed)
    call.onabort = () => over(failed)
    call.open('POST', path)
    if (token !== undefined) call.setRequestHeader('Authorization', `Bearer ${token}`)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) return over(failed)
    call.send(form)
  })
}

export interface Received {
  file: Blob
  /** The service's file name; null if it gives no name. */
  name: string | null
}

/** Downloads a file. Throws `Refused`, `Unreachable`, or the signal's reason. */
export async function receive(path: string, { onProgress, signal }: Transfer = {}): Promise<Received> {
  const token = currentSession()?.token
  const still = new AbortController()
  const watch = standstill(() => still.abort())
  const signals = signal === undefined ? still.signal : AbortSignal.any([signal, still.signal])
  try {
    const answer = await fetch(path, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      signal: signals,
    })
    if (!answer.ok) {
      const body = parsed(await answer.text())
      if (answer.status === 401 && token === currentSession()?.token) end('expired')
      throw new Refused(answer.status, body, answer.headers)
    }
    const file = await gathered(answer, progress => {
      watch.moved()
      onProgress?.(progress)
    })
    reportReached()
    return { file, name: nameIn(answer.headers.get('Content-Disposition')) }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    if (cause instanceof Refused) throw cause
    reportFailed()
    throw new Unreachable(cause)
  } finally {
    watch.stop()
  }
}

async function gathered(answer: Response, onProgress: (progress: Progress) => void): Promise<Blob> {
  const total = Number(answer.headers.get('Content-Length') ?? Number.NaN)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = answer.body?.getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    parts.push(part.value)
    received += part.value.byteLength
    onProgress(total > 0 ? Math.min(1, received / total) : null)
  }
  return new Blob(parts, { type: answer.headers.get('Content-Type') ?? '' })
}

/** The name in `attachment; filename="…"; filename*=UTF-8''…` (RFC 6266). */
export function nameIn(disposition: string | null): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '') ?? []
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}

/** Every browser has taken the file after this time; Safari is late. */
const TAKEN_MS = 60_000

/** Hands a file to the browser, like following a link to it. */
export function saveAs(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS)
}

function standstill(giveUp: () => void) {
  let timer = setTimeout(giveUp, STANDSTILL_MS)
  return {
    moved: () => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, STANDSTILL_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function headersOf(call: XMLHttpRequest): Headers {
  const headers = new Headers()
  const retryAfter = call.getResponseHeader('Retry-After')
  if (retryAfter !== null) headers.set('Retry-After', retryAfter)
  return headers
}
