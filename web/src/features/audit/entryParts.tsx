/** Details of an entry: the changes, and the hash that chains it to the previous entry. */
import { useCopy } from '../../ui/Copyable'
import { Alert, Check, ChevronRight, Copy } from '../../ui/icons'
import { texts as uiTexts } from '../../ui/texts'
import classes from './AuditPage.module.css'
import { texts } from './texts'
import type { AuditEntry, Change, Words } from './words'

export function Details({ entry, words }: { entry: AuditEntry; words: Words }) {
  return (
    <div className={classes.more}>
      <Changes changes={words.changesOf(entry)} />
      <p className={classes.proof}>
        {texts.hash} <Hash hash={entry.hash} />
      </p>
    </div>
  )
}

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <dl className={classes.changes}>
      {changes.map(({ label, before, after }) => (
        <div key={label} className={classes.change}>
          <dt>{label}</dt>
          <dd>
            {before !== undefined && <Side name={texts.before} value={before} gone={after !== undefined} />}
            {before !== undefined && after !== undefined && (
              <ChevronRight size={14} className={classes.arrow} />
            )}
            {after !== undefined && <Side name={texts.after} value={after} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Side({ name, value, gone = false }: { name: string; value: string; gone?: boolean }) {
  return (
    <span className={gone ? classes.gone : undefined}>
      <span className="visually-hidden">{name} </span>
      {value}
    </span>
  )
}

const HASH_LENGTH = 12
const ICONS = { copied: Check, failed: Alert }

/** The hash's start, with a button to copy all of it. */
function Hash({ hash }: { hash: string }) {
  const [outcome, press] = useCopy(hash)
  const short = hash.slice(0, HASH_LENGTH)
  const Icon = outcome === null ? Copy : ICONS[outcome]
  return (
    <span className={classes.hash}>
      <code translate="no">{short}</code>
      <button type="button" className={classes.copy} aria-label={texts.copyHash(short)} onClick={press}>
        <Icon size={18} />
      </button>
      <span role="status" className={outcome === 'failed' ? classes.failed : 'visually-hidden'}>
        {outcome === 'copied' && texts.hashCopied}
        {outcome === 'failed' && uiTexts.notCopied}
      </span>
    </span>
  )
}
