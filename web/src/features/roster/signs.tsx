/** What takes back and does again, as icons. */
import { Drawn } from '../../ui/Drawn'

export const Undo = () => (
  <Drawn>
    <path d="M9 14 4 9l5-5" />
    <path d="M4 9h10.5a5.5 5.5 0 0 1 0 11H11" />
  </Drawn>
)
export const Redo = () => (
  <Drawn>
    <path d="m15 14 5-5-5-5" />
    <path d="M20 9H9.5a5.5 5.5 0 0 0 0 11H13" />
  </Drawn>
)
