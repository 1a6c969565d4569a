/** Whether an ancestor has set the document's title: a page whose code loads later must not set it again. */
import { createContext } from 'react'

export const TitledContext = createContext(false)
