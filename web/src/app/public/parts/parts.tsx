/** Components of the public pages. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../api/session'
import classes from './parts.module.css'

interface HeroProps {
  stamp?: string
  title: ReactNode
  lead: ReactNode
  actions?: ReactNode
  picture?: Drawing
}

export function Hero({ stamp, title, lead, actions, picture }: HeroProps) {
  return (
    <header className={classes.hero}>
      <div className={classes.heroWords}>
        {stamp !== undefined && <Stamp>{stamp}</Stamp>}
        <h1 className={classes.heroTitle}>{title}</h1>
        <p className={classes.lead}>{lead}</p>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {picture !== undefined && <Picture className={classes.heroPicture} {...picture} eager />}
    </header>
  )
}

export interface Drawing {
  src: string
  /** The rendered width in pixels, which reserves the space while the picture loads. */
  width: number
  height: number
  /** The alternative text; empty if the surrounding text describes it. */
  alt: string
}

/** A picture; those out of view are loaded lazily. */
export function Picture({ className, alt, eager = false, ...drawing }: PictureProps) {
  return (
    <img
      className={className}
      alt={alt}
      {...drawing}
      {...(eager ? {} : { loading: 'lazy', decoding: 'async' })}
    />
  )
}

interface PictureProps extends Drawing {
  className?: string | undefined
  eager?: boolean
}

/** A short word in the clock's font, such as the time of day of a page's section. */
export function Stamp({ children }: { children: ReactNode }) {
  return <p className={classes.stamp}>{children}</p>
}

interface SectionProps {
  id?: string
  stamp?: string
  title: string
  lead?: ReactNode
  /** Whether it is on the dark of the clock's case. */
  dark?: boolean
  children: ReactNode
}

export function Section({ id, stamp, title, lead, dark = false, children }: SectionProps) {
  return (
    <section id={id} className={`${classes.section} ${dark ? classes.dark : ''}`}>
      <div className={classes.sectionHead}>
        {stamp !== undefined && <Stamp>{stamp}</Stamp>}
        <h2 className={classes.sectionTitle}>{title}</h2>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      </div>
      {children}
    </section>
  )
}

interface CardsProps {
  columns: 'two' | 'three' | 'four'
  children: ReactNode
}

export function Cards({ columns, children }: CardsProps) {
  return <ul className={`${classes.cards} ${classes[columns]}`}>{children}</ul>
}

interface CardProps {
  title: string
  picture?: ReactNode
  children: ReactNode
}

export function Card({ title, picture, children }: CardProps) {
  return (
    <li className={classes.card}>
      {picture}
      <h3>{title}</h3>
      {children}
    </li>
  )
}

/** The closing section of a page, with the next step. */
export function Closing({ id, stamp, title, children, actions }: ClosingProps) {
  return (
    <section id={id} className={classes.closing}>
      {stamp !== undefined && <Stamp>{stamp}</Stamp>}
      <h2 className={classes.sectionTitle}>{title}</h2>
      <p className={classes.lead}>{children}</p>
      <div className={classes.actions}>{actions}</div>
    </section>
  )
}

interface ClosingProps {
  id?: string
  stamp?: string
  title: string
  children: ReactNode
  actions: ReactNode
}

type Look = 'primary' | 'ghost'

const look = (which: Look) => `${classes.large} ${classes[which]}`

/** A large link: to another page, or with `#` to an anchor. */
export function Way({ to, as = 'ghost', children }: { to: string; as?: Look; children: ReactNode }) {
  const session = useSession()
  // Logged-in users are redirected from the landing page to their own: they get the contact page instead.
  const target = session !== null && to.startsWith('/#') ? '/kontakt' : to
  return to.startsWith('#') ? (
    <a href={to} className={look(as)}>
      {children}
    </a>
  ) : (
    <Link to={target} className={look(as)}>
      {children}
    </Link>
  )
}

interface PressProps {
  as?: Look
  onClick: () => void
  onPrepare?: (() => void) | undefined
  children: ReactNode
}

/** A large button; its target may be prefetched. */
export function Press({ as = 'primary', onClick, onPrepare, children }: PressProps) {
  return (
    <button
      type="button"
      className={look(as)}
      onClick={onClick}
      onPointerEnter={onPrepare}
      onFocus={onPrepare}
    >
      {children}
    </button>
  )
}
