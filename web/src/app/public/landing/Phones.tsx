/** The real pages, as `npm run handbook` took them of the demo. */

import zeitenDark from '../shots/zeiten-dark.webp'
import zeiten from '../shots/zeiten-light.webp'
import kontoDark from '../shots/zeitkonto-dark.webp'
import konto from '../shots/zeitkonto-light.webp'
import classes from './Phones.module.css'

export function Phones() {
  return (
    <div className={classes.phones}>
      <Phone
        light={zeiten}
        dark={zeitenDark}
        alt="Meine Zeiten auf dem Handy: jeder Tag mit Kommen, Gehen und Summe"
      />
      <Phone
        light={konto}
        dark={kontoDark}
        alt="Das Zeitkonto auf dem Handy: Soll, Ist, Saldo und Resturlaub"
      />
    </div>
  )
}

function Phone({ light, dark, alt }: { light: string; dark: string; alt: string }) {
  return (
    <picture className={classes.phone}>
      <source srcSet={dark} media="(prefers-color-scheme: dark)" />
      <img src={light} width={560} height={1149} alt={alt} loading="lazy" decoding="async" />
    </picture>
  )
}
