import { expect, it } from 'vitest'
import { nextIn } from './paging'

it.each([
  [null, null],
  ['', null],
  ['</a?before=e-5>; rel="prev"', null],
  ['</a?limit=50&before=e-5>; rel="next"', 'e-5'],
  ['<https://host/a?before=e%2D5>; rel=next', 'e-5'],
  ['</a?limit=50>; rel="next"', null],
])('the next page in %s begins at %s', (link, id) => expect(nextIn(link)).toBe(id))
