/**
 * The contents of a long text: next to it in wide windows, with the current part marked; above it, folded, on phones.
 */
import { useEffect, useRef } from 'react'
import classes from './legal.module.css'
import type { Section } from './sections/section'

interface ContentsProps {
  sections: readonly Section[]
  current: string | null
}

export function Contents({ sections, current }: ContentsProps) {
  const beside = useRef<HTMLElement>(null)
  useEffect(() => {
    const entry = current === null ? null : beside.current?.querySelector<HTMLElement>('[aria-current]')
    if (entry) bringIntoView(entry)
  }, [current])
  return (
    <>
      <nav ref={beside} className={classes.beside} aria-labelledby="contents">
        <p id="contents" className={classes.contentsTitle}>
          Inhalt
        </p>
        <Entries sections={sections} current={current} />
      </nav>
      <details className={classes.folded}>
        <summary>Inhalt</summary>
        <nav aria-label="Inhalt">
          <Entries sections={sections} current={current} />
        </nav>
      </details>
    </>
  )
}

function Entries({ sections, current }: ContentsProps) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without marks for none
    <ol role="list" className={classes.entries}>
      {sections.map(({ id, title }, index) => (
        <li key={id}>
          <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
            <span className={classes.entryNumber}>{index + 1}.</span> {title}
          </a>
        </li>
      ))}
    </ol>
  )
}

/** Scrolls only the contents: `scrollIntoView` would scroll the page as well. */
function bringIntoView(entry: HTMLElement) {
  const box = entry.closest('nav')
  if (box === null) return
  const [outer, inner] = [box.getBoundingClientRect(), entry.getBoundingClientRect()]
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + inner.height
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + inner.height
}
