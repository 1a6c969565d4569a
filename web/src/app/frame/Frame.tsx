/** The frame of every page: the navigation bar, the content, the footer, and the login modal. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate, useNavigationType } from 'react-router'
import { begin, currentSession, type Session, useSession } from '../../api/session'
import { unsentCounts } from '../../offline/unsent'
import { fetched, withMantine } from '../../patterns/fetched'
import { useLastSuccess } from '../../patterns/succeed'
import { destination, messagesOf } from '../areas'
import { hasApp } from '../installed'
import { publicPageAt } from '../public/pages'
import { onNoticePressed } from '../push'
import { texts } from '../texts'
import { withQueryClient } from '../withQueryClient'
import { Coming } from './Coming'
import { Foot } from './Foot'
import classes from './Frame.module.css'
import { NavBar } from './NavBar'
import type { FrameContext } from './useFrame'

const loadLogin = withMantine(async () => (await import('../../features/login/LoginDialog')).LoginDialog)
const LoginDialog = fetched(loadLogin, <Coming />)
const prepareLogin = () =>
  void loadLogin().catch(() => {
    // The user sees an error when they want to log in.
  })

const UnsentQuestion = fetched(
  withMantine(async () => (await import('./UnsentQuestion')).UnsentQuestion),
  null,
)
const OwnFrame = fetched(
  withQueryClient(async () => (await import('./SignedIn')).OwnFrame),
  null,
)
const Successes = fetched(
  withMantine(async () => (await import('../../patterns/Successes')).Successes),
  null,
)

export function Frame() {
  const [loginOpen, setLoginOpen] = useState(false)
  const session = useSession()
  const navigate = useNavigate()
  const location = useLocation()
  // Any login, here or in another tab, closes the modal.
  if (loginOpen && session !== null) setLoginOpen(false)

  const openLogin = () => setLoginOpen(true)
  /** A user who has logged in, while another user's unsent requests would get lost. */
  const [entering, setEntering] = useState<Session | null>(null)
  const admit = (next: Session) => {
    setEntering(null)
    begin(next)
    navigate(destination(next, location.state))
  }
  const enter = (next: Session) => {
    if (othersOf(next).length === 0) return admit(next)
    setLoginOpen(false)
    setEntering(next)
  }
  const turnBack = (next: Session) => {
    setEntering(null)
    void import('../../api/endedSessions').then(({ endSession }) => endSession(next.token))
  }
  useLoginSoon(session === null)
  useTopOfPage()
  useToMessages()
  const content = useFocusWith(session?.userId)
  const context: FrameContext = { openLogin, prepareLogin }

  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads somewhere, but not by the address: the browser's Back is for pages */}
      <a
        className={classes.skip}
        href="#content"
        onClick={event => {
          event.preventDefault()
          content.current?.focus()
        }}
      >
        {texts.skip}
      </a>
      <NavBar session={session} onLogin={openLogin} onPrepareLogin={prepareLogin} />
      <main ref={content} id="content" className={classes.content} tabIndex={-1}>
        {loginOpen && (
          <div className={classes.login}>
            <LoginDialog onClose={() => setLoginOpen(false)} onDone={enter} />
          </div>
        )}
        {entering !== null && (
          <UnsentQuestion
            own={false}
            lost={othersOf(entering)}
            onGo={() => admit(entering)}
            onStay={() => turnBack(entering)}
          />
        )}
        {session !== null && <OwnFrame session={session} />}
        <Outlet context={context} />
      </main>
      {(session === null || isOpenToAll(location.pathname)) && <Foot />}
      <SaidWell />
    </>
  )
}

/** Whether a path is a public page's; the first one is not shown to logged-in users. */
const isOpenToAll = (path: string) => path !== '/' && publicPageAt(path) !== undefined

/** Parts for logged-in users. */
const STIRRING = ['pointermove', 'pointerdown', 'keydown'] as const

const othersOf = (session: Session) => unsentCounts().filter(({ userId }) => userId !== session.userId)

/** The view of success messages; fetched with the first one. */
function SaidWell() {
  const [needed, setNeeded] = useState(false)
  const last = useLastSuccess()
  if (last !== null && !needed) setNeeded(true)
  return needed ? <Successes /> : null
}

/**
 * Focuses the content when a session begins or ends: the pressed element is gone, and the keyboard would restart at the
 * top of the document. A renewed session leaves the focus where it is.
 */
function useFocusWith(user: string | undefined) {
  const content = useRef<HTMLElement>(null)
  const lastUser = useRef(user)
  useEffect(() => {
    if (lastUser.current === user) return
    lastUser.current = user
    content.current?.focus({ preventScroll: true })
  }, [user])
  return content
}

/** Scrolls a page, or a hub's module, to its top; going back restores the browser's scroll position. */
function useTopOfPage() {
  const { pathname, search } = useLocation()
  const way = useNavigationType()
  const page = `${pathname} ${new URLSearchParams(search).get('tab')}`
  const lastPage = useRef(page)
  // Before the page scrolls to the anchor in its address.
  useLayoutEffect(() => {
    if (lastPage.current === page) return
    lastPage.current = page
    if (way !== 'POP') window.scrollTo(0, 0)
  }, [page, way])
}

/** Pressing a notification while the app is open leads to the messages. */
function useToMessages() {
  const navigate = useNavigate()
  useEffect(() => onNoticePressed(() => navigate(messagesOf(currentSession()?.role ?? ''))), [navigate])
}

/**
 * Prefetches the login's code, so that the modal opens without a delay: for users of the app, once the page is idle;
 * for visitors, who may never need it, at their first interaction.
 */
function useLoginSoon(wanted: boolean) {
  useEffect(() => {
    if (!wanted) return
    const stirring = new AbortController()
    for (const kind of STIRRING) {
      window.addEventListener(kind, prepareLogin, { once: true, passive: true, signal: stirring.signal })
    }
    const timer = hasApp() ? setTimeout(prepareLogin, 1_500) : undefined
    return () => {
      stirring.abort()
      clearTimeout(timer)
    }
  }, [wanted])
}
