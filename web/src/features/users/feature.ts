import type { Feature } from '../feature'

export const users: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
