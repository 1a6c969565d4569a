import { Hero } from '../parts/parts'

export function Imprint() {
  return <Hero title="Impressum" lead="Name und Anschrift trägt ein, wer diese Installation betreibt." />
}
