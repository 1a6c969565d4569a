/** A file's progress: known, and unknown. */
import { ProgressBar } from '../../patterns/ProgressBar'
import { Narrow } from '../parts'
import type { Specimen } from '../specimen'

export const title = 'Fortschritt'

const bar = (label: string, progress: number | null) => () => (
  <Narrow>
    <ProgressBar label={label} progress={progress} />
  </Narrow>
)

export const specimens: readonly Specimen[] = [
  { name: 'Am Anfang', render: bar('Foto wird gesendet …', 0) },
  { name: 'Unterwegs', render: bar('Bericht wird geladen …', 0.42) },
  { name: 'Am Ende', render: bar('Zeiten werden geladen …', 1) },
  { name: 'Ohne bekanntes Ende', render: bar('Export wird geladen …', null) },
]
