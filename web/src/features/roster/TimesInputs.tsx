/** Custom times: fetched on demand. An end needs a start. */

import { TimeInput } from '../../ui/times'
import type { Times } from './plan'
import { texts } from './texts'

export function TimesInputs({ times, onTimes }: { times: Times; onTimes: (times: Times) => void }) {
  return (
    <>
      <TimeInput
        label={texts.start}
        value={times.start ?? ''}
        onChange={start => onTimes({ start: start || null, end: start ? times.end : null })}
      />
      <TimeInput
        label={texts.end}
        value={times.end ?? ''}
        onChange={end => onTimes({ ...times, end: times.start === null ? null : end || null })}
      />
    </>
  )
}
