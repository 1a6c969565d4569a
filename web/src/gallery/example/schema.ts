/** The example's calls. For a real room `make reference` writes them into `api/schema.d.ts`. */

export interface NewNote {
  text: string
  day: string
}

export interface Note extends NewNote {
  id: string
  by: string
}

interface Answers<Status extends number, Body> {
  responses: Record<Status, { content: { 'application/json': Body } }>
}

declare module '../../api/schema' {
  interface paths {
    '/api/companies/{id}/notes': {
      get: { parameters: { path: { id: string } } } & Answers<200, Note[]>
      post: {
        parameters: { path: { id: string } }
        requestBody: { content: { 'application/json': NewNote } }
      } & Answers<201, Note>
    }
    '/api/notes/{id}': {
      delete: { parameters: { path: { id: string } }; responses: { 204: { content?: never } } }
    }
  }
}
