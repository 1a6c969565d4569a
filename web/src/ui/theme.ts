/**
 * Mantine dressed in the tokens: its colours, radii and sizes all come from tokens.css, so that light and dark
 * switch in one place. It names no colour itself.
 */
import { type CSSVariablesResolver, colorsTuple, createTheme } from '@mantine/core'

export const theme = createTheme({
  fontFamily: 'var(--sw-font)',
  headings: { fontFamily: 'var(--sw-font)', fontWeight: '700' },
  colors: { accent: colorsTuple('var(--sw-accent)') },
  primaryColor: 'accent',
  defaultRadius: 'var(--sw-radius)',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    ModalRoot: { defaultProps: { transitionProps: { duration: 150, transition: 'fade' } } },
    DrawerRoot: { defaultProps: { transitionProps: { duration: 150 } } },
    Popover: { defaultProps: { transitionProps: { duration: 120, transition: 'fade' } } },
  },
})

const fromTokens = {
  '--mantine-color-body': 'var(--sw-surface)',
  '--mantine-color-text': 'var(--sw-text)',
  '--mantine-color-dimmed': 'var(--sw-muted)',
  '--mantine-color-placeholder': 'var(--sw-muted)',
  '--mantine-color-error': 'var(--sw-link)',
  '--mantine-color-default': 'var(--sw-surface)',
  '--mantine-color-default-hover': 'var(--sw-sunken)',
  '--mantine-color-default-color': 'var(--sw-text)',
  '--mantine-color-default-border': 'var(--sw-line-strong)',
  '--mantine-color-bright': 'var(--sw-text)',
  '--mantine-color-anchor': 'var(--sw-link)',
  '--mantine-primary-color-filled': 'var(--sw-link)',
}

export const variables: CSSVariablesResolver = () => ({
  variables: { '--mantine-line-height': '1.5' },
  light: fromTokens,
  dark: fromTokens,
})
