import { Enter } from '../../ui/icons'
import type { Feature, Waiting } from '../feature'
import { canBeReleased, useUnclaimed } from './unclaimed'

function useWaiting(): Waiting {
  const count = useUnclaimed().data?.filter(canBeReleased).length ?? 0
  return { count, words: `${count} Stempel ohne Firma` }
}

export const stamps: Feature = {
  pages: [
    {
      area: 'admin',
      key: 'unclaimed',
      label: 'Stempel ohne Firma',
      short: 'Stempel',
      icon: Enter,
      aside: true,
      useWaiting,
      load: async () => (await import('./UnclaimedPage')).UnclaimedPage,
    },
  ],
  auditWords: async () => (await import('./auditTexts')).auditTexts,
}
