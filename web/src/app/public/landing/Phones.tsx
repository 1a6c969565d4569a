/** Screenshots of the real pages, taken by `npm run handbook` from the demo. */
import termineDark from '../shots/termine-dark.webp'
import termine from '../shots/termine-light.webp'
import zeitenDark from '../shots/zeiten-dark.webp'
import zeiten from '../shots/zeiten-light.webp'
import classes from './Phones.module.css'

export function Phones() {
  return (
    <div className={classes.phones}>
      <Phone
        light={termine}
        dark={termineDark}
        alt="Meine Termine auf dem Handy: der nächste Dienst, darunter die Woche"
      />
      <Phone
        light={zeiten}
        dark={zeitenDark}
        alt="Meine Zeiten auf dem Handy: jeder Tag mit Kommen, Gehen, Pause und Summe"
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
