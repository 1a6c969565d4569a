/** Typed GET calls by path, generated from the service's schema. */
import { type Answered, api, dataOf } from './client'
import { nextIn } from './paging'
import type { paths } from './schema'

/** The readable paths, with their parameters and answers. */
export type GetPath = {
  [Path in keyof paths]: paths[Path] extends { get: Operation } ? Path : never
}[keyof paths]
type Operation = { parameters: object; responses: object }
type Get<Path extends GetPath> = paths[Path] extends { get: infer Call extends Operation } ? Call : never
export type Asking<Path extends GetPath> = Pick<
  Get<Path>['parameters'],
  'path' & keyof Get<Path>['parameters']
> &
  Pick<Get<Path>['parameters'], 'query' & keyof Get<Path>['parameters']>
export type Answer<Path extends GetPath> = Get<Path>['responses'] extends {
  200: { content: { 'application/json': infer Data } }
}
  ? Data
  : never

type Untyped<Data> = (path: string, more: object) => Promise<Answered<Data>>

/** Requests a path; returns an answer for `dataOf`. */
export const ask = <Path extends GetPath>(path: Path, params: Asking<Path>, signal: AbortSignal) =>
  (api.GET as unknown as Untyped<Answer<Path>>)(path, { params, signal })

/** Reads a path with a query; throws a refusal. */
export const reading =
  <Path extends GetPath>(path: Path, params: Asking<Path>) =>
  async (signal: AbortSignal): Promise<Answer<Path>> =>
    dataOf(await ask(path, params, signal))

/** This many rows of the roster, which has the longest lists, are 300 KB. */
const AT_ONCE = 1500

/** Reads a whole list page by page, so that a long answer does not delay others. */
export const readingWhole =
  <Path extends GetPath>(path: Path, params: Asking<Path>) =>
  async (signal: AbortSignal): Promise<Answer<Path>> => {
    const { query } = params as { query?: object }
    const rows: unknown[] = []
    for (let cursor: object | null = {}; cursor !== null; ) {
      const pageParams: unknown = { ...params, query: { ...query, limit: AT_ONCE, ...cursor } }
      const answer = await ask(path, pageParams as Asking<Path>, signal)
      rows.push(...(dataOf(answer) as unknown[]))
      const next = nextIn(answer.response.headers.get('Link'))
      cursor = next === null ? null : { before: next }
    }
    return rows as Answer<Path>
  }
