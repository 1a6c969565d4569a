import { Hero } from '../parts/parts'

export function Contact() {
  return <Hero title="Kontakt" lead="Schreib uns." />
}
