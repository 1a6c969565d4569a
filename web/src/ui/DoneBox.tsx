/** Says that something was made, with what follows from it below. */
import type { ComponentProps } from 'react'
import classes from './DoneBox.module.css'
import { Check, Close } from './icons'
import { texts } from './texts'

interface DoneBoxProps extends ComponentProps<'section'> {
  sentence: string
  /** Larger, where it is what the page is about now. */
  large?: boolean
  /** With it the box can be put away. */
  onClose?: () => void
}

export function DoneBox({
  sentence,
  large = false,
  onClose,
  className = '',
  children,
  ...rest
}: DoneBoxProps) {
  return (
    <section {...rest} className={`${classes.box} ${large ? classes.large : ''} ${className}`}>
      <div className={classes.head}>
        <p className={classes.said} role="status">
          <Check size={large ? 22 : 20} />
          {sentence}
        </p>
        {onClose !== undefined && (
          <button type="button" className={classes.close} aria-label={texts.close} onClick={onClose}>
            <Close size={20} />
          </button>
        )}
      </div>
      {children}
    </section>
  )
}
