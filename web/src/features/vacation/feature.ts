import type { Feature } from '../feature'

export const vacation: Feature = {
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
