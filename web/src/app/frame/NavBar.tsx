/** The navigation bar on every page: the six public pages, and the login or the user's area and logout. */
import { useEffect } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import type { Session } from '../../api/session'
import { fetched } from '../../patterns/fetched'
import { Button } from '../../ui/Button'
import { BRAND } from '../../ui/brand'
import { Close, Menu } from '../../ui/icons'
import { Logo } from '../../ui/Logo'
import { usePanel } from '../../ui/usePanel'
import { areaName, areaOf } from '../areas'
import { texts } from '../texts'
import { withQueryClient } from '../withQueryClient'
import classes from './NavBar.module.css'

const OwnBar = fetched(
  withQueryClient(async () => (await import('./SignedIn')).OwnBar),
  null,
)

const LINKS = [
  ['/produkte', texts.produkte],
  ['/services', texts.services],
  ['/newsletter', texts.newsletter],
  ['/shop', texts.shop],
  ['/ueber-uns', texts.aboutUs],
  ['/kontakt', texts.contact],
] as const

interface NavBarProps {
  session: Session | null
  onLogin: () => void
  onPrepareLogin: () => void
}

export function NavBar({ session, onLogin, onPrepareLogin }: NavBarProps) {
  return (
    <header className={classes.bar}>
      <div className={`${classes.inner} ${session === null ? '' : classes.full}`}>
        <Link to="/" className={classes.home} aria-label={texts.home}>
          <Logo name={BRAND} />
        </Link>
        <nav className={classes.links} aria-label={texts.mainNavigation}>
          <ul>
            {LINKS.map(([path, name]) => (
              <li key={path}>
                <NavLink to={path} className={linkClass}>
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className={classes.own}>
          {session === null ? (
            <Button look="primary" onClick={onLogin} onPointerEnter={onPrepareLogin} onFocus={onPrepareLogin}>
              {texts.login}
            </Button>
          ) : (
            <>
              <NavLink to={areaOf(session.role)} className={ownLinkClass}>
                {areaName(areaOf(session.role))}
              </NavLink>
              <OwnBar session={session} />
            </>
          )}
          <SmallMenu session={session} />
        </div>
      </div>
    </header>
  )
}

function linkClass({ isActive }: { isActive: boolean }): string {
  return `${classes.link} ${isActive ? classes.active : ''}`
}

function ownLinkClass(state: { isActive: boolean }): string {
  return `${linkClass(state)} ${classes.ownLink}`
}

/** On narrow windows the links are in a panel below the bar. */
function SmallMenu({ session }: { session: Session | null }) {
  const { open, button, panel, toggle, close } = usePanel<HTMLElement>()
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the menu, wherever that is
  useEffect(close, [key, close])
  const area = session === null ? null : areaOf(session.role)
  return (
    <div className={classes.small}>
      <button
        ref={button}
        type="button"
        className={classes.menuButton}
        aria-expanded={open}
        aria-controls="small-menu"
        aria-label={open ? texts.closeMenu : texts.menu}
        onClick={toggle}
      >
        {open ? <Close size={24} /> : <Menu size={24} />}
      </button>
      {open && (
        <nav ref={panel} id="small-menu" className={classes.panel} aria-label={texts.mainNavigation}>
          <ul>
            {area !== null && (
              <li>
                <NavLink to={area} className={linkClass}>
                  {areaName(area)}
                </NavLink>
              </li>
            )}
            {LINKS.map(([path, name]) => (
              <li key={path}>
                <NavLink to={path} className={linkClass}>
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
}
