/** Answers the example's calls in the gallery, which has no service. A real page has no such file. */
import { NOTES } from './samples'
import type { NewNote } from './schema'

export function fakeService() {
  let notes = NOTES
  globalThis.fetch = async input => {
    const request = new Request(input)
    if (request.method === 'POST') {
      const note = { ...((await request.json()) as NewNote), id: crypto.randomUUID(), by: 'Ingrid Holm' }
      notes = [note, ...notes]
      return Response.json(note, { status: 201 })
    }
    if (request.method === 'DELETE') {
      notes = notes.filter(({ id }) => !request.url.endsWith(`/${id}`))
      return new Response(null, { status: 204 })
    }
    return Response.json(notes)
  }
}
