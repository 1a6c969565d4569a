/** The requests that the service has not confirmed yet, shown in the place of their outcome. */
import { type ReactNode, useState } from 'react'
import type { Unsent as Item } from '../offline/db'
import { texts } from '../offline/texts'
import { Button } from '../ui/Button'
import { momentOf } from '../ui/days'
import { Offline } from '../ui/icons'
import { Notice } from '../ui/Notice'
import { texts as uiTexts } from '../ui/texts'
import { fetched, withMantine } from './fetched'
import { takeBack, useUnsent } from './sending'
import classes from './Unsent.module.css'

// Pages without Mantine use this too.
const DiscardUnsent = fetched(
  withMantine(async () => (await import('./DiscardUnsent')).DiscardUnsent),
  null,
)

interface UnsentProps {
  kind: string
  /** The request in a few words: "Urlaub vom 1. bis 5. August". */
  nameOf: (body: unknown) => string
  /** Reopens the form with the input; without it, a refused request can only be discarded. */
  onEdit?: (body: unknown) => void
  /** Further details of a request. */
  children?: (body: unknown) => ReactNode
}

export function Unsent({ kind, ...more }: UnsentProps) {
  return <UnsentItems items={useUnsent(kind)} {...more} />
}

type UnsentItemsProps = Omit<UnsentProps, 'kind'> & { items: readonly Item[] }

export function UnsentItems({ items, nameOf, onEdit, children }: UnsentItemsProps) {
  const [asked, setAsked] = useState<Item | null>(null)
  if (items.length === 0) return null
  const edit = (item: Item) => {
    void takeBack(item)
    onEdit?.(item.body)
  }
  return (
    <>
      <ul className={classes.list}>
        {items.map(item => (
          <li key={item.id}>
            {item.refusal === null ? (
              <div className={classes.waiting} role="status">
                <Offline size={20} />
                <div className={classes.words}>
                  <p className={classes.what}>{nameOf(item.body)}</p>
                  <p className={classes.state}>
                    {texts.unsent(uiTexts.clock(momentOf(new Date(item.createdAt))))}
                  </p>
                  {children?.(item.body)}
                </div>
                <Button look="plain" onClick={() => setAsked(item)}>
                  {texts.discard}
                </Button>
              </div>
            ) : (
              <Notice tone="error" live="polite" title={texts.refusedTitle(nameOf(item.body))}>
                <p>{item.refusal.sentence}</p>
                {children?.(item.body)}
                <div className={classes.actions}>
                  {onEdit !== undefined && <Button onClick={() => edit(item)}>{texts.edit}</Button>}
                  <Button look="plain" onClick={() => setAsked(item)}>
                    {texts.discard}
                  </Button>
                </div>
              </Notice>
            )}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <DiscardUnsent
          name={nameOf(asked.body)}
          onDiscard={() => void takeBack(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
