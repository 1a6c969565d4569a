/** "Nachweis prüfen": verifies a statement on the reader's own device. No login, no network. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../api/failures'
import { momentOf } from '../../ui/days'
import { PageFrame } from '../../ui/PageFrame'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { texts as uiTexts } from '../../ui/texts'
import classes from './CheckPage.module.css'
import { FileDrop } from './FileDrop'
import { type Judgement, judge, type StatementFile } from './judge'
import { type KeyRow, keysOf, published } from './keys'
import { Details, Verdict } from './Outcome'
import { texts } from './texts'

/** About twenty times the size of a busy person's month. */
const MOST_BYTES = 4 * 1024 * 1024

export function CheckPage() {
  const keys = useQuery({
    queryKey: ['statement-keys'],
    queryFn: ({ signal }) => published(signal),
    staleTime: 60_000,
  })
  return (
    <PageFrame title={texts.title} lead={texts.lead}>
      <noscript>
        <p>{texts.needsScript}</p>
      </noscript>
      {keys.data !== undefined ? (
        <>
          {!keys.data.fresh && (
            <p className={classes.kept}>
              {texts.keysKept(uiTexts.clock(momentOf(new Date(keys.data.savedAt))))}
            </p>
          )}
          <Checker rows={keys.data.rows} />
        </>
      ) : keys.error !== null ? (
        <ErrorState
          title={texts.keysFailed}
          detail={sentenceOf(keys.error, texts.keysFailed)}
          busy={keys.isFetching}
          onRetry={() => void keys.refetch()}
        />
      ) : (
        <Loading>
          <Skeleton height={180} />
        </Loading>
      )}
    </PageFrame>
  )
}

type Shown =
  | { state: 'busy' }
  | { state: 'refused'; sentence: string }
  | { state: 'judged'; judgement: Judgement }

function Checker({ rows }: { rows: readonly KeyRow[] }) {
  const [shown, show] = useState<Shown | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const turn = useRef(0)
  // A user who has chosen another file gets only that file's outcome.
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  const examine = async (files: readonly File[]) => {
    turn.current += 1
    const ownTurn = turn.current
    show({ state: 'busy' })
    const outcome = await outcomeOf(files, rows)
    if (ownTurn !== turn.current) return
    setFile(files.length === 1 ? (files[0] ?? null) : null)
    show(outcome)
  }
  return (
    <>
      <FileDrop onFiles={files => void examine(files)} />
      <div role="status" className={classes.status}>
        {shown?.state === 'busy' && <p>{texts.busy}</p>}
        {shown?.state === 'refused' && <p className={classes.refused}>{shown.sentence}</p>}
        {shown?.state === 'judged' && <Verdict judgement={shown.judgement} />}
      </div>
      {shown?.state === 'judged' && (
        <Details
          judgement={shown.judgement}
          onAdd={file === null ? null : added => void examine([file, added])}
        />
      )}
    </>
  )
}

async function outcomeOf(files: readonly File[], rows: readonly KeyRow[]): Promise<Shown> {
  if (files.length > 2) return { state: 'refused', sentence: texts.tooMany }
  const large = files.find(({ size }) => size > MOST_BYTES)
  if (large !== undefined) return { state: 'refused', sentence: texts.tooLarge(large.name) }
  const read: StatementFile[] = []
  for (const file of files) {
    try {
      read.push({ name: file.name, content: new Uint8Array(await file.arrayBuffer()) })
    } catch {
      return { state: 'refused', sentence: texts.unreadable(file.name) }
    }
  }
  const judgement = await judge(read, keysOf(rows))
  return judgement === null ? { state: 'refused', sentence: texts.tooMany } : { state: 'judged', judgement }
}
