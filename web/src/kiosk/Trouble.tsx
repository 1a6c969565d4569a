/** The reason why the clock cannot stamp, or why a tag was rejected. Always an icon and text. */
import { Alert, Chip, Info } from '../ui/icons'
import { Sentences } from './Sentences'
import classes from './Trouble.module.css'
import { texts } from './texts'
import type { View } from './view'

interface Words {
  title: string
  detail: string
  look: 'failed' | 'broken' | 'notice'
}

export function troubleOf(view: View): Words | null {
  if (view.storage === 'failed')
    return { title: texts.storageFailed, detail: texts.storageDo, look: 'failed' }
  if (view.reader === 'fault') return { title: texts.readerFault, detail: texts.readerDo, look: 'broken' }
  if (view.reader === 'absent') return { title: texts.readerAbsent, detail: texts.readerDo, look: 'broken' }
  if (view.notice === 'unreadable_tag') {
    return { title: texts.unreadableTag, detail: texts.unreadableTagDo, look: 'notice' }
  }
  return null
}

export function Trouble({ title, detail, look }: Words) {
  const Icon = look === 'notice' ? Info : look === 'broken' ? Chip : Alert
  return (
    <div className={`${classes.trouble} ${classes[look] ?? ''}`} role="alert">
      <Icon />
      <div>
        <p className={classes.title}>{title}</p>
        <p>
          <Sentences text={detail} />
        </p>
      </div>
    </div>
  )
}
