/** What is around every page: the navigation bar, the content, the foot, and the login modal. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate, useNavigationType } from 'react-router'
import { begin, type Session, useSession } from '../../api/session'
import { PageSkeleton } from '../../ui/states'
import { destination } from '../areas'
import { texts } from '../texts'
import { Foot } from './Foot'
import classes from './Frame.module.css'
import { NavBar } from './NavBar'
import type { FrameContext } from './useFrame'

const loadLogin = () => import('../../features/login/LoginDialog')
const LoginDialog = lazy(async () => ({ default: (await loadLogin()).LoginDialog }))

export function Frame() {
  const [loginOpen, setLoginOpen] = useState(false)
  const session = useSession()
  const navigate = useNavigate()
  const location = useLocation()
  // Whoever is logged in, here or in another tab, is through with it.
  if (loginOpen && session !== null) setLoginOpen(false)

  const openLogin = () => setLoginOpen(true)
  const enter = (next: Session) => {
    begin(next)
    navigate(destination(next, location.state))
  }
  useLoginSoon(session === null)
  useTopOfPage()
  const content = useFocusWith(session?.userId)
  const context: FrameContext = { openLogin, prepareLogin: loadLogin }

  return (
    <>
      <a className={classes.skip} href="#content">
        {texts.skip}
      </a>
      <NavBar session={session} onLogin={openLogin} onPrepareLogin={loadLogin} />
      <main ref={content} id="content" className={classes.content} tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet context={context} />
        </Suspense>
      </main>
      {session === null && <Foot />}
      {loginOpen && (
        <Suspense>
          <LoginDialog onClose={() => setLoginOpen(false)} onDone={enter} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Gives the focus to the content when a session begins or ends: what was pressed for it is gone by then, and the
 * keyboard would start over at the top of the document. A session that is only renewed leaves it where it is.
 */
function useFocusWith(user: string | undefined) {
  const content = useRef<HTMLElement>(null)
  const known = useRef(user)
  useEffect(() => {
    if (known.current === user) return
    known.current = user
    content.current?.focus({ preventScroll: true })
  }, [user])
  return content
}

/** A page, or a hub's module, begins at its top; the way back leads to where somebody was, as the browser knows. */
function useTopOfPage() {
  const { pathname, search } = useLocation()
  const way = useNavigationType()
  const page = `${pathname} ${new URLSearchParams(search).get('tab')}`
  const known = useRef(page)
  useEffect(() => {
    if (known.current === page) return
    known.current = page
    if (way !== 'POP') window.scrollTo(0, 0)
  }, [page, way])
}

/** Fetches the login's code once the page is quiet, so that the modal opens without a pause. */
function useLoginSoon(wanted: boolean) {
  useEffect(() => {
    if (!wanted) return
    const timer = setTimeout(loadLogin, 1_500)
    return () => clearTimeout(timer)
  }, [wanted])
}
