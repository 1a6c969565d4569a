/** The gallery's entry: the group that `?group=` names, or the way to all of them. */
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
  // Some specimens hold the page; here nothing is lost by leaving it.
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
