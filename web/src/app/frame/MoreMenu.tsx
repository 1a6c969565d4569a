/** The last entry of the phone's bar: it opens the sheet, whose code is fetched on approach. */
import { useState } from 'react'
import { fetched, withMantine } from '../../patterns/fetched'
import { Dots } from '../../ui/icons'
import { texts } from '../texts'
import type { SheetEntry } from './MoreSheet'
import classes from './MoreSheet.module.css'

const loadSheet = withMantine(async () => (await import('./MoreSheet')).MoreSheet)
const MoreSheet = fetched(loadSheet, null)
const prepare = () =>
  void loadSheet().catch(() => {
    // The user sees an error when they open it.
  })

export function MoreMenu({ username, entries }: { username: string; entries: readonly SheetEntry[] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`${classes.opener} ${entries.some(entry => entry.current) ? classes.here : ''}`}
        aria-haspopup="dialog"
        onPointerDown={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        <Dots size={22} />
        {texts.more}
      </button>
      {open && <MoreSheet username={username} entries={entries} onClose={() => setOpen(false)} />}
    </>
  )
}
