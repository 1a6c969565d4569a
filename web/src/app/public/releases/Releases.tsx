import { Hero } from '../parts/parts'

export function Releases() {
  return <Hero title="Updates" lead="Was sich geändert hat." />
}
