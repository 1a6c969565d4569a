/** Labels, explanations and urgency of an entry's flags. */
import type { ComponentType } from 'react'
import type { components } from '../../api/schema'
import type { Tone } from '../../ui/Badge'
import { Alert, Clock, Cup, Inbox, Info, Layers, Moon, Question, Sun, Swap } from '../../ui/icons'
import { flagTexts, unknownFlag } from './texts'

/** The service's flags; a new flag is a type error here until it has a text. */
export type Flag = components['schemas']['TimeEntryRow']['flags'][number]

interface Look {
  tone: Tone
  icon: ComponentType
}

const LOOKS: Record<Flag, Look> = {
  missing_in: { tone: 'warn', icon: Question },
  missing_out: { tone: 'warn', icon: Question },
  long_entry: { tone: 'warn', icon: Clock },
  uncertain_time: { tone: 'warn', icon: Clock },
  over_10_h: { tone: 'warn', icon: Alert },
  short_rest: { tone: 'warn', icon: Moon },
  missing_break: { tone: 'warn', icon: Cup },
  overlap: { tone: 'note', icon: Layers },
  shown_differs: { tone: 'note', icon: Swap },
  worked_on_leave: { tone: 'note', icon: Sun },
  late: { tone: 'note', icon: Inbox },
}

const WORDS: Record<Flag, { label: string; explanation: string }> = flagTexts

export interface ShownFlag extends Look {
  flag: string
  label: string
  explanation: string
}

/** A flag's display; an unknown flag of a newer service is shown as a hint rather than hidden. */
export function shownFlag(flag: string): ShownFlag {
  return isFlag(flag)
    ? { flag, ...WORDS[flag], ...LOOKS[flag] }
    : { flag, ...unknownFlag, tone: 'note', icon: Info }
}

function isFlag(flag: string): flag is Flag {
  return Object.hasOwn(flagTexts, flag)
}
