/** Layout of the groups' specimens. */
import { MantineThemeProvider } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWide } from '../ui/useWide'
import classes from './Gallery.module.css'

interface Laid {
  children: ReactNode
}

export const Row = ({ children }: Laid) => <div className={classes.row}>{children}</div>

export const Fields = ({ children }: Laid) => <div className={classes.fields}>{children}</div>

/** A row's actions, next to each other. */
export const Acts = ({ children }: Laid) => <div className={classes.acts}>{children}</div>

export const Narrow = ({ children }: Laid) => <div className={classes.narrow}>{children}</div>

interface HeldProps<Value> {
  of: Value
  children: (value: Value, onChange: (value: Value) => void) => ReactNode
}

/** Keeps a field's value, so that the specimen is usable. */
export function StatefulSpecimen<Value>({ of, children }: HeldProps<Value>) {
  const [value, setValue] = useState(of)
  return children(value, setValue)
}

interface StageProps extends Laid {
  height: number
  /** Its height on phones, where text needs more lines. */
  phone?: number
}

/** A frame for a dialog or a message, so that several are visible at once. */
export function Stage({ height, phone = height + 160, children }: StageProps) {
  const wide = useWide()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  return (
    <div ref={setTarget} className={classes.stage} style={{ height: wide ? height : phone }}>
      {target !== null && (
        <MantineThemeProvider
          theme={{
            components: {
              Portal: { defaultProps: { target } },
              ModalRoot: { defaultProps: { lockScroll: false } },
            },
          }}
        >
          {children}
        </MantineThemeProvider>
      )}
    </div>
  )
}
