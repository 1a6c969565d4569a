/** The privacy statement's sections in order. A section's number is its index here. */
import { BASICS } from './basics'
import { KEEPING } from './keeping'
import type { Section } from './section'
import { SERVICE } from './service'
import { WORKING } from './working'

export const SECTIONS: readonly Section[] = [...BASICS, ...WORKING, ...SERVICE, ...KEEPING]
