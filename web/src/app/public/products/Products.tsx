import { Hero } from '../parts/parts'

export function Products() {
  return <Hero title="Produkte" lead="Die Uhr mit Touchscreen." />
}
