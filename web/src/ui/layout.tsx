/**
 * Layout components for pages, so that a feature needs no style sheet of its own. Each takes `children`:
 *
 * - Card: a framed section: `title` (h2), `lead`, `badge` after the title; `label` names it without a title. `narrow`
 *   keeps a form readable; `quiet` has a dashed frame, for rare actions
 * - CardList: `items` as framed cards below each other; `joined` in one frame, `plain` without a frame, with lines
 *   between
 * - Facts: terms with their values; `sums`: figures at the end, with a `total` below a line
 * - Section: a heading with its `count` or `badge` and `actions`, without a frame
 * - Toolbar: above a list: filters on the left, actions on the right; not on paper
 * - Buttons: in a row, below each other where they do not fit
 * - Fold: a `line` that unfolds to its children
 */
import { type ReactNode, type Ref, useId } from 'react'
import { ChevronDown } from './icons'
import classes from './layout.module.css'

interface CardProps {
  title?: string
  label?: string
  lead?: ReactNode
  badge?: ReactNode
  narrow?: boolean
  quiet?: boolean
  onScreen?: boolean
  ref?: Ref<HTMLElement>
  tabIndex?: number
  children?: ReactNode
}

export function Card({ title, label, lead, badge, narrow, quiet, onScreen, children, ...rest }: CardProps) {
  const id = useId()
  return (
    <section
      {...rest}
      className={classesOf('card', { narrow, quiet, onScreen })}
      aria-label={title === undefined ? label : undefined}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <div className={classes.head}>
          <h2 id={id}>{title}</h2>
          {badge}
        </div>
      )}
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  )
}

interface CardListProps<Item> {
  label?: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** Whether one frame surrounds all, or no frame, with lines between. */
  look?: 'cards' | 'joined' | 'plain'
  children: (item: Item) => ReactNode
}

export function CardList<Item>({ label, items, keyOf, look = 'cards', children }: CardListProps<Item>) {
  return (
    <ul className={`${classes.list} ${classes[look] ?? ''}`} aria-label={label}>
      {items.map(item => (
        <li key={keyOf(item)} className={look === 'cards' ? classes.card : undefined}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

export interface Fact {
  term: string
  value: ReactNode
  total?: boolean
}

/** Items that are `false` or null are left out. */
export function Facts({ facts, sums }: { facts: readonly (Fact | false | null)[]; sums?: boolean }) {
  return (
    <dl className={sums ? classes.sums : classes.facts}>
      {facts.map(
        fact =>
          fact && (
            <div key={fact.term} className={fact.total ? classes.total : undefined}>
              <dt>{fact.term}</dt>
              <dd>{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface SectionProps {
  title: string
  count?: number
  badge?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function Section({ title, count, badge, actions, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <h2>
          {title} {count !== undefined && <span className={classes.count}>{count}</span>}
          {badge}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={classes.toolbar}>{children}</div>
)

export const Buttons = ({ children }: { children: ReactNode }) => (
  <div className={classes.buttons}>{children}</div>
)

export function Fold({ line, children }: { line: ReactNode; children: ReactNode }) {
  return (
    <details className={classes.fold}>
      <summary>
        <div>{line}</div>
        <ChevronDown size={18} />
      </summary>
      <div className={classes.inside}>{children}</div>
    </details>
  )
}

const classesOf = (base: string, more: Record<string, boolean | undefined>) =>
  [base, ...Object.keys(more).filter(name => more[name])].map(name => classes[name]).join(' ')
