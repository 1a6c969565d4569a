/** One group: each specimen with its name. It is `ready` once every specimen is in its state and at rest. */
import { useEffect, useId, useRef, useState } from 'react'
import classes from './Gallery.module.css'
import type { Group, Specimen } from './specimen'

/** Longer than a skeleton's delay, and than any animation. */
const REST_MS = 250

const rested = () => new Promise(resolve => setTimeout(resolve, REST_MS))

interface GalleryProps {
  keys: readonly string[]
  current: string | null
  group: Group | undefined
}

export function Gallery({ keys, current, group }: GalleryProps) {
  const [ready, setReady] = useState(false)
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    void bring(main.current, group?.specimens ?? []).then(() => setReady(true))
  }, [group])
  return (
    <>
      <header className={classes.bar} data-bar>
        <a href="./">Galerie</a>
      </header>
      <main
        ref={main}
        id="content"
        className={`${classes.group} ${group?.columns === true ? classes.columns : ''}`}
        data-group={current ?? undefined}
        data-ready={ready || undefined}
        tabIndex={-1}
      >
        <h1 className={classes.title}>{group?.title ?? 'Galerie'}</h1>
        {group === undefined && (
          <ul>
            {keys.map(key => (
              <li key={key}>
                <a href={`?group=${key}`}>{key}</a>
              </li>
            ))}
          </ul>
        )}
        {group?.specimens.map(specimen => (
          <SpecimenView key={specimen.name} specimen={specimen} />
        ))}
      </main>
    </>
  )
}

function SpecimenView({ specimen: { name, render, room } }: { specimen: Specimen }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.name}>
        {name}
      </h2>
      <div className={classes.box} data-specimen={name} style={{ minHeight: room }}>
        {render()}
      </div>
    </section>
  )
}

async function bring(main: HTMLElement | null, specimens: readonly Specimen[]) {
  await rested()
  const boxes = [...(main?.querySelectorAll<HTMLElement>('[data-specimen]') ?? [])]
  for (const { name, act } of specimens) {
    const box = boxes.find(element => element.dataset.specimen === name)
    if (box !== undefined) await act?.(box)
  }
  if (specimens.some(({ act }) => act !== undefined)) await rested()
  // The final focus is arbitrary.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
