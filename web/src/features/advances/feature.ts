import type { Feature } from '../feature'

export const advances: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
