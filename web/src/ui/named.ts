/** Whether somebody above has named the document: a page whose code comes later must not name it once more. */
import { createContext } from 'react'

export const TitledContext = createContext(false)
