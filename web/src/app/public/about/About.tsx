import { Hero } from '../parts/parts'

export function About() {
  return <Hero title="Über uns" lead="Wir bauen eine Stempeluhr." />
}
