import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { logInAs, serve, server, url } from '../../tests/server'
import { readingWhole } from './reading'
import { reload } from './session'

serve()
beforeEach(() => {
  reload()
  logInAs()
})

const PATH = '/api/companies/{companyId}/schedule'
const DAYS = { from: '2026-11-01', to: '2026-11-30' }
const readAllRows = () =>
  readingWhole(PATH, { path: { companyId: 'c-1' }, query: DAYS })(new AbortController().signal)

/** Three pages, each naming the next; the requested queries. */
function layPages(third: () => Response) {
  const searches: string[] = []
  const nextPage = (id: string) => ({ headers: { Link: `</api?before=${id}>; rel="next"` } })
  server.use(
    http.get(url('/api/companies/c-1/schedule'), ({ request }) => {
      const { search, searchParams } = new URL(request.url)
      searches.push(search)
      const beforeId = searchParams.get('before')
      if (beforeId === null) return HttpResponse.json([{ id: 'd-1' }, { id: 'd-2' }], nextPage('d-2'))
      return beforeId === 'd-2' ? HttpResponse.json([{ id: 'd-3' }], nextPage('d-3')) : third()
    }),
  )
  return searches
}

it('is read to its end, some rows at a time, each behind the last', async () => {
  const searches = layPages(() => HttpResponse.json([{ id: 'd-4' }]))
  expect((await readAllRows()).map(({ id }) => id)).toEqual(['d-1', 'd-2', 'd-3', 'd-4'])
  const days = '?from=2026-11-01&to=2026-11-30&limit=1500'
  expect(searches).toEqual([days, `${days}&before=d-2`, `${days}&before=d-3`])
})

it('is refused as a whole where one part does not come', async () => {
  layPages(() => HttpResponse.json({ code: 'unavailable', message: 'Gleich wieder.' }, { status: 422 }))
  await expect(readAllRows()).rejects.toThrow()
})
