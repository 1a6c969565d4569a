import { Hero } from '../parts/parts'

export function Services() {
  return <Hero title="Services" lead="Wir richten Uhren ein." />
}
