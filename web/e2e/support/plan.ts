/** A believable plan for the fake service, and a hand-over that it accepts. */
import type { components } from '../../src/api/schema'
import { CANDIDATES, samples } from '../../src/features/schedule/samples'
import type { Asked, Service } from './service'

type AskedRow = components['schemas']['AskedRow']

const OPEN = 'GET /api/schedule/my-swap-requests'
export const HAND_OVER = 'POST /api/schedule/swap-request'

export function layOutPlan(service: Service) {
  for (const { answers } of samples) {
    for (const [call, body] of Object.entries(answers)) service.answers.set(call, { body })
  }
}

/** The service takes a hand-over from now on, and then lists it; returns what it was sent. */
export function takeHandOvers(service: Service, lost = 0): Asked[] {
  const got: Asked[] = []
  service.acts.set(HAND_OVER, asked => {
    got.push(asked)
    const { date, to } = asked.body as { date: string; to: string }
    const toName = CANDIDATES.find(({ id }) => id === to)?.username ?? ''
    const row: AskedRow = { id: `s-${date}`, date, to, toName, createdAt: '2026-11-20T10:10:00.000Z' }
    const existingRows = (service.answers.get(OPEN)?.body ?? []) as AskedRow[]
    const rows = [...existingRows.filter(each => each.date !== date), row].sort((one, other) =>
      one.date < other.date ? -1 : 1,
    )
    service.answers.set(OPEN, { body: rows })
    return got.length <= lost ? null : { status: 201, body: row }
  })
  return got
}

/** The service refuses every hand-over. */
export function refuseHandOvers(service: Service, status: number, code: string, message: string) {
  service.acts.set(HAND_OVER, () => ({
    status,
    body: { type: 'about:blank', title: code, status, code, message, detail: message },
    headers: { 'Content-Type': 'application/problem+json' },
  }))
}
