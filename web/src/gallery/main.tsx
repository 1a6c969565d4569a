/** The gallery's entry: the group in `?group=`, or the list of all. */
import './clock'
import '../ui/font.css'
import '../ui/tokens.css'
import '../ui/base.css'
import { createRoot } from 'react-dom/client'
import { Dressed } from '../ui/Dressed'
import { Gallery } from './Gallery'
import type { Group } from './specimen'

const files = import.meta.glob<Group>('./groups/*.tsx')
const keyOf = (file: string) => file.replace(/^.*\/|\.tsx$/g, '')

async function show(root: HTMLElement) {
  // Some specimens hold the page; here leaving loses nothing.
  window.addEventListener('beforeunload', event => event.stopImmediatePropagation())
  const wantedGroup = new URLSearchParams(location.search).get('group')
  const group = await Object.entries(files).find(([file]) => keyOf(file) === wantedGroup)?.[1]()
  group?.prepare?.()
  createRoot(root).render(
    <Dressed>
      <Gallery keys={Object.keys(files).map(keyOf)} current={wantedGroup} group={group} />
    </Dressed>,
  )
}

const root = document.getElementById('root')
if (root !== null) void show(root)
