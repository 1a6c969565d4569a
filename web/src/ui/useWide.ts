/** Whether there is room: for what stands side by side, and more of it for a table; always on paper. */
import { useMatch } from './useMatch'

const WIDE = '(min-width: 901px), print'
const TABLE = '(min-width: 1101px), print'

export const useWide = () => useMatch(WIDE)
export const useTableRoom = () => useMatch(TABLE)
