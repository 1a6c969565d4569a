/** The last resort: a broken page reports it and offers a reload, instead of staying blank. */
import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/Button'
import { Notice } from '../../ui/Notice'
import { texts } from '../texts'
import classes from './Broken.module.css'

export class Broken extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <main className={classes.broken}>
        <Notice
          tone="error"
          live="assertive"
          title={texts.broken}
          action={<Button onClick={() => window.location.reload()}>{texts.reload}</Button>}
        >
          <p>{texts.brokenDetail}</p>
        </Notice>
      </main>
    )
  }
}
