/** Whether the window is wide enough for a table. */
import { useMatch } from './useMatch'

export const WIDE = '(min-width: 901px)'

export const useWide = () => useMatch(WIDE)
