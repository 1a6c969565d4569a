// Written by hand in the generator's form until the service's own description can be read.
type Answer<T> = { headers: { [name: string]: unknown }; content: { 'application/json': T } }
type Problem = Answer<{ status: number; code: string; message: string }>
type None = { query?: never; header?: never; path?: never; cookie?: never }

export interface components {
  schemas: {
    TimeEntry: {
      id: string
      date: string
      start: string | null
      end: string | null
      running: boolean
      breakMinutes: number | null
      workedMinutesRaw: number | null
      workedMinutesNet: number | null
      source: 'clock' | 'correction'
      flags: string[]
      clockName: string | null
    }
    LoginAnswer: {
      success: boolean
      message?: string | null
      next?: string | null
      token?: string | null
      role?: string | null
      username?: string | null
      companyId?: string | null
      userId?: string | null
      temp_token?: string | null
    }
  }
}

export interface paths {
  '/api/login': {
    parameters: None
    post: {
      parameters: None
      requestBody: {
        content: { 'application/json': { company: string; username: string; password: string } }
      }
      responses: { 200: Answer<components['schemas']['LoginAnswer']>; 401: Problem }
    }
  }
  '/api/logout': {
    parameters: None
    post: { parameters: None; requestBody?: never; responses: { 200: Answer<unknown> } }
  }
  '/api/tickets': {
    parameters: None
    post: {
      parameters: None
      requestBody: { content: { 'application/json': { path: string } } }
      responses: { 201: Answer<{ ticket: string; expiresIn: number }>; 401: Problem }
    }
  }
  '/api/users/{userId}/times': {
    parameters: None
    get: {
      parameters: {
        query?: { from?: string; to?: string }
        header?: never
        path: { userId: string }
        cookie?: never
      }
      requestBody?: never
      responses: { 200: Answer<components['schemas']['TimeEntry'][]>; 401: Problem }
    }
  }
}
