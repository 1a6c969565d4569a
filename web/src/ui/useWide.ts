/** Whether columns have room next to each other: in a wide window, and on paper. */
import { useMatch } from './useMatch'

const WIDE = '(min-width: 901px), print'

export const useWide = () => useMatch(WIDE)
