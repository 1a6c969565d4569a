/**
 * Mantine dressed in the tokens: its colours, radii and sizes all come from tokens.css, so that light and dark
 * switch in one place, and every part of it wears dress.module.css, so that no page dresses one itself.
 */
import { type CSSVariablesResolver, colorsTuple, createTheme } from '@mantine/core'
import classes from './dress.module.css'
import { texts } from './texts'

/** The class names of a component's parts; a CSS module may lack a name. */
const classNames = (parts: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, name ?? '']))

/** Props of what opens below a field or a button. */
const OPENS = { transitionProps: { duration: 120, transition: 'fade' }, shadow: 'none' } as const

/** A month of buttons takes a slow phone more than a tenth of a second: the field shows its focus before that. */
export const CALENDAR_OPENS = { ...OPENS.transitionProps, enterDelay: 32 } as const

const TYPED = { withAsterisk: false, autoCapitalize: 'none', spellCheck: false } as const

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
    Popover: { defaultProps: OPENS, classNames: classNames({ dropdown: classes.dropdown }) },
    Menu: {
      defaultProps: OPENS,
      classNames: classNames({ dropdown: classes.dropdown, item: classes.item, label: classes.group }),
    },
    InputWrapper: {
      classNames: classNames({
        label: classes.label,
        description: classes.description,
        error: classes.error,
      }),
    },
    Input: { classNames: classNames({ input: classes.input, section: classes.section }) },
    TextInput: { defaultProps: TYPED },
    PasswordInput: {
      defaultProps: {
        ...TYPED,
        visibilityToggleButtonProps: { 'aria-label': texts.showPassword, tabIndex: 0 },
        rightSectionWidth: 48,
      },
      classNames: classNames({ innerInput: classes.innerInput, visibilityToggle: classes.eye }),
    },
    Select: {
      defaultProps: { ...TYPED, allowDeselect: false, checkIconPosition: 'right', maxDropdownHeight: 360 },
      classNames: classNames({
        dropdown: classes.dropdown,
        option: classes.option,
        empty: classes.nothing,
        groupLabel: classes.group,
      }),
    },
    Checkbox: {
      classNames: classNames({
        body: classes.checkBody,
        inner: classes.check,
        input: classes.box,
        icon: classes.tick,
        labelWrapper: classes.checkWords,
        label: classes.checkLabel,
        description: classes.checkHint,
      }),
    },
    DateInput: {
      defaultProps: TYPED,
      classNames: classNames({
        day: classes.day,
        weekday: classes.weekday,
        calendarHeader: classes.calendarHeader,
        calendarHeaderControl: classes.calendarControl,
        calendarHeaderLevel: classes.calendarControl,
        monthsListControl: classes.calendarMonth,
        yearsListControl: classes.calendarMonth,
      }),
    },
    TimePicker: {
      defaultProps: { withAsterisk: false },
      classNames: classNames({ field: classes.timeField }),
    },
    Notification: {
      classNames: classNames({
        root: classes.success,
        icon: classes.successIcon,
        description: classes.successWords,
      }),
    },
  },
})

const fromTokens = {
  '--mantine-color-body': 'var(--sw-surface)',
  '--mantine-color-text': 'var(--sw-text)',
  '--mantine-color-dimmed': 'var(--sw-muted)',
  '--mantine-color-placeholder': 'var(--sw-muted)',
  '--mantine-color-error': 'var(--sw-danger-text)',
  '--mantine-color-default': 'var(--sw-surface)',
  '--mantine-color-default-hover': 'var(--sw-sunken)',
  '--mantine-color-default-color': 'var(--sw-text)',
  '--mantine-color-default-border': 'var(--sw-line-strong)',
  '--mantine-color-disabled': 'var(--sw-sunken)',
  '--mantine-color-disabled-color': 'var(--sw-on-disabled)',
  '--mantine-color-disabled-border': 'var(--sw-line)',
  '--mantine-color-bright': 'var(--sw-text)',
  '--mantine-color-anchor': 'var(--sw-link)',
  '--mantine-primary-color-filled': 'var(--sw-link)',
}

export const variables: CSSVariablesResolver = () => ({
  variables: { '--mantine-line-height': '1.5' },
  light: fromTokens,
  dark: fromTokens,
})
