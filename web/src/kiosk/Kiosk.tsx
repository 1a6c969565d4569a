/** The touchscreen: chooses the screen of a view. */
import { Alert } from '../ui/icons'
import { Announcement } from './Announcement'
import { AnswerScreen } from './AnswerScreen'
import type { Heard } from './agent'
import { IdleScreen } from './IdleScreen'
import { Message } from './Message'
import { ScannersScreen } from './ScannersScreen'
import { TooLate } from './TooLate'
import { texts } from './texts'
import { UnassignedScreen } from './UnassignedScreen'

export function Kiosk(heard: Heard) {
  const { view, lost, silent } = heard
  return (
    <>
      <Announcement answer={lost || silent ? null : (view?.answer ?? null)} />
      <Screen {...heard} />
      {view?.answer && view.notice === 'too_late' && !lost && !silent && <TooLate />}
    </>
  )
}

function Screen({ view, ahead, lost, silent }: Heard) {
  // Without the agent taps are lost: the screen must not suggest otherwise.
  if (silent) return <Message Icon={Alert} title={texts.silent} detail={texts.silentDo} />
  if (lost) return <Message title={texts.starting} detail={texts.startingDo} />
  if (view === null) return null
  if (view.answer !== null) {
    return <AnswerScreen key={view.answer.key} answer={view.answer} zone={view.zone} ahead={ahead} />
  }
  if (view.adopting) return <ScannersScreen {...view.adopting} ahead={ahead} zone={view.zone} />
  return view.screen === 'unassigned' ? (
    <UnassignedScreen view={view} />
  ) : (
    <IdleScreen view={view} ahead={ahead} />
  )
}
