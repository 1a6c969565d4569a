import type { Feature } from '../feature'

export const siteNotes: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
