/**
 * The end of a long list: the button for older rows, or a note that the list is complete. One place for both, so that
 * the focus stays near.
 */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button'
import { useFocusPassedOn } from '../ui/focus'
import classes from './Older.module.css'
import { RefreshFailed } from './QueryView'

interface OlderProps {
  list: UseInfiniteQueryResult<unknown>
  texts: {
    more: string
    noMore: string
    /** Loading the next page failed. */
    moreFailed: string
    /** Refetching the whole list failed. */
    failed: string
  }
}

export function Older({ list, texts }: OlderProps) {
  const [asked, setAsked] = useState(false)
  const loadMore = () => {
    setAsked(true)
    void list.fetchNextPage()
  }
  return (
    <div className={classes.older}>
      {list.error !== null && <Failed list={list} texts={texts} />}
      {list.error === null && list.hasNextPage && (
        <MoreButton busy={list.isFetchingNextPage} word={texts.more} onMore={loadMore} />
      )}
      {list.error === null && !list.hasNextPage && asked && <End sentence={texts.noMore} />}
    </div>
  )
}

function MoreButton({ busy, word, onMore }: { busy: boolean; word: string; onMore: () => void }) {
  const button = useFocusPassedOn<HTMLButtonElement>()
  return (
    <Button ref={button} busy={busy} onClick={onMore}>
      {word}
    </Button>
  )
}

function End({ sentence }: { sentence: string }) {
  const line = useRef<HTMLParagraphElement>(null)
  // The pressed button is gone: the keyboard continues here, unless the focus is elsewhere.
  useEffect(() => {
    if (document.activeElement === document.body) line.current?.focus()
  }, [])
  return (
    <p ref={line} tabIndex={-1} className={classes.end}>
      {sentence}
    </p>
  )
}

/** Retries the next page, or refetches all pages. */
function Failed({ list, texts }: OlderProps) {
  return list.isFetchNextPageError ? (
    <RefreshFailed query={{ ...list, refetch: list.fetchNextPage }} title={texts.moreFailed} />
  ) : (
    <RefreshFailed query={list} title={texts.failed} />
  )
}
