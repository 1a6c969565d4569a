import type { Feature } from '../feature'

export const hours: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
