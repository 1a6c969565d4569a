import { Hero } from '../parts/parts'

export function Shop() {
  return <Hero title="Shop" lead="Uhren und Zubehör." />
}
