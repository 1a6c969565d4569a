/** Copyable values, before and after copying. */
import { Copyable, CopyText } from '../../ui/Copyable'
import { Row } from '../parts'
import type { Specimen } from '../specimen'

export const title = 'Zum Kopieren'

const KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export const specimens: readonly Specimen[] = [
  { name: 'Ein Wert', render: () => <Copyable label="Schlüssel" text="9f2b64c1d07e5a389f2b64c1d07e5a38" /> },
  { name: 'In Gruppen', render: () => <Copyable label="Schlüssel in Gruppen" text={KEY} grouped /> },
  { name: 'Groß', render: () => <Copyable label="Startpasswort" text="Tanne-Kessel-47-Ufer" large /> },
  { name: 'Kopiert', render: () => <Copyable label="Passwort" text="Tanne-Kessel-47" already="copied" /> },
  { name: 'Misslungen', render: () => <Copyable label="Token" text="Tanne-Kessel-47" already="failed" /> },
  {
    name: 'Nur der Button',
    render: () => (
      <Row>
        <CopyText label="Codes" text="1234-5678" />
      </Row>
    ),
  },
]
