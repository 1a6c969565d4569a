/** What is said when a call fails, whichever page made it. */
export const texts = {
  unreachable: 'Server nicht erreichbar',
  unauthorized: 'Nicht autorisiert. Bitte neu einloggen.',
  endpointMissing: 'Endpoint nicht gefunden (404).',
  status: (status: number) => `HTTP ${status}`,
} as const
