/** The start page for logged-out users: the landing page, with the reason why they were redirected. */
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { forgetEnding, useEnding } from '../../../api/session'
import { unsentCounts } from '../../../offline/unsent'
import { Notice } from '../../../ui/Notice'
import { askedFor } from '../../areas'
import { texts } from '../../texts'
import { Public } from '../Public'
import { landing } from '../pages'

export function Home() {
  return (
    <>
      <SessionNotice />
      <Public page={landing} />
    </>
  )
}

/** The reason for the redirect: the session has ended, which is reported once, or the requested page needs a login. */
function SessionNotice() {
  const [ending] = useState(useEnding())
  useEffect(forgetEnding, [])
  const { state } = useLocation()
  const [waiting] = useState(() => unsentCounts().reduce((sum, { count }) => sum + count, 0))
  // The service renders the page without a session: hydration must render the same.
  const [taken, setTaken] = useState(false)
  useEffect(() => setTaken(true), [])
  if (!taken) return null
  if (ending === 'expired') {
    return (
      <Notice tone="error" live="assertive" title={texts.sessionEnded}>
        <p>{texts.unauthorized}</p>
        <p>{texts.sessionEndedWhy}</p>
        {waiting > 0 && <p>{texts.unsentWaiting(waiting)}</p>}
      </Notice>
    )
  }
  if (ending === 'everywhere') return <Notice live="polite">{texts.signedOutEverywhere}</Notice>
  if (ending === 'elsewhere') return <Notice live="polite">{texts.elsewhere}</Notice>
  if (ending === null && askedFor(state) !== null) return <Notice live="polite">{texts.signInFirst}</Notice>
  return null
}
