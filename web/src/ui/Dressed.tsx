/** The provider and styles of Mantine's components. It is fetched with the first of them (`patterns/fetched.tsx`). */
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme, variables } from './theme'

export function Dressed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
