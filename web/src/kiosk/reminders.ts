/** Reminders for the person who stamps. */
import { texts } from './texts'
import type { Answer } from './view'

/** "2 Übergaben warten auf deine Antwort", "1 neue Nachricht": a part for each non-zero number. */
export function reminders({ openHandovers, unreadMessages }: Answer): string[] {
  return [
    ...(openHandovers ? [texts.handovers(openHandovers)] : []),
    ...(unreadMessages ? [texts.messages(unreadMessages)] : []),
  ]
}
