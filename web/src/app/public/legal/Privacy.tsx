import { Hero } from '../parts/parts'

export function Privacy() {
  return <Hero title="Datenschutz" lead="Was gespeichert wird, warum, und wie lange." />
}
