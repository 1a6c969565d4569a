/** Every look of a button: as it is, busy, disabled, with an icon, as wide as its place. */
import { Button, type ButtonProps } from '../../ui/Button'
import { Plus, Refresh, Trash } from '../../ui/icons'
import { Narrow, Row } from '../parts'
import type { Specimen } from '../specimen'

export const title = 'Buttons'

function Looks(props: ButtonProps) {
  return (
    <>
      <Row>
        <Button {...props}>Speichern</Button>
        <Button {...props} busy>
          Speichern
        </Button>
        <Button {...props} disabled>
          Speichern
        </Button>
        <Button {...props} icon={props.icon ?? <Plus size={20} />}>
          Login anlegen
        </Button>
        <Button {...props} icon={props.icon ?? <Plus size={20} />} disabled>
          Login anlegen
        </Button>
      </Row>
      <Narrow>
        <Button {...props} wide>
          So breit wie ihr Platz
        </Button>
      </Narrow>
    </>
  )
}

export const specimens: readonly Specimen[] = [
  { name: 'primary', render: () => <Looks look="primary" /> },
  { name: 'secondary', render: () => <Looks look="secondary" /> },
  { name: 'plain', render: () => <Looks look="plain" icon={<Refresh size={18} />} /> },
  { name: 'danger', render: () => <Looks look="danger" icon={<Trash size={18} />} /> },
]
