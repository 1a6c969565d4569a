/** Every icon, in its most common size, with its name. */
import * as icons from '../../ui/icons'
import classes from '../Gallery.module.css'
import type { Specimen } from '../specimen'

export const title = 'Symbole'

export const specimens: readonly Specimen[] = [
  {
    name: '24 Pixel',
    render: () => (
      <ul className={classes.icons}>
        {Object.entries(icons).map(([name, Icon]) => (
          <li key={name}>
            <Icon size={24} />
            {name}
          </li>
        ))}
      </ul>
    ),
  },
]
