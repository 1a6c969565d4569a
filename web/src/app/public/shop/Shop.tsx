/** The shop: three tabs, a counter for the page's lifetime, and the link to an inquiry. Nothing is sold here. */
import { type KeyboardEvent, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { euros } from '../../../entities/offer/prices'
import { Button } from '../../../ui/Button'
import { Basket, Check } from '../../../ui/icons'
import { IN_THE_MAKING, missing } from '../missing'
import { Picture } from '../parts/parts'
import parts from '../parts/parts.module.css'
import { PRODUCTS, type Product, TABS, type Tab } from './products'
import classes from './Shop.module.css'

export const TOAST_MS = 1_800

export function Shop() {
  const [tab, setTab] = useState<Tab>('main')
  const [count, setCount] = useState(0)
  const [added, setAdded] = useState<{ title: string; turn: number } | null>(null)
  useEffect(() => {
    if (added === null) return
    const timer = setTimeout(() => setAdded(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [added])
  const add = ({ title }: Product) => {
    setCount(previous => previous + 1)
    setAdded(previous => ({ title, turn: (previous?.turn ?? 0) + 1 }))
  }
  return (
    <>
      <header className={classes.head}>
        <div>
          <h1 className={parts.heroTitle}>Shop</h1>
          <p className={parts.lead}>
            Neun Produkte, ein System. Alle Preise zzgl. MwSt. Bestellt wird über eine Anfrage, in der wir dir
            auch die Lieferzeit nennen; der Warenkorb zählt nur mit und bestellt nichts.
          </p>
        </div>
        <p className={classes.basket}>
          <Basket size={24} />
          Warenkorb
          <span className={classes.count} data-count={count}>
            {count}
          </span>
        </p>
      </header>
      <div className={classes.tabs} role="tablist" aria-label="Produktgruppen" onKeyDown={moved(tab, setTab)}>
        {TABS.map(({ key, label }) => (
          <button
            key={key}
            id={`tab-${key}`}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={tab === key}
            aria-controls={`panel-${key}`}
            tabIndex={tab === key ? 0 : -1}
            onClick={() => setTab(key)}
          >
            {label}
          </button>
        ))}
      </div>
      {TABS.map(({ key }) => (
        <section
          key={key}
          id={`panel-${key}`}
          role="tabpanel"
          aria-labelledby={`tab-${key}`}
          hidden={tab !== key}
        >
          <ul className={classes.products} data-tab={key}>
            {PRODUCTS.filter(product => product.tab === key).map(product => (
              <Offered key={product.id} product={product} onAdd={() => add(product)} />
            ))}
          </ul>
        </section>
      ))}
      <div className={classes.toasts} role="status">
        {added !== null && (
          <div key={added.turn} className={classes.toast}>
            <Check size={22} />
            <p>
              <strong>Zum Warenkorb hinzugefügt</strong>
              <span>{added.title}</span>
            </p>
          </div>
        )}
      </div>
    </>
  )
}

/** Arrow keys move between tabs, as in the WAI-ARIA pattern. */
function moved(tab: Tab, setTab: (tab: Tab) => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }
    const index = TABS.findIndex(({ key }) => key === tab)
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? TABS.length - 1
          : (index + (steps[event.key] ?? 0) + TABS.length) % TABS.length
    const key = TABS[next]?.key
    if (next === index || key === undefined) return
    event.preventDefault()
    setTab(key)
    document.getElementById(`tab-${key}`)?.focus()
  }
}

function Offered({ product, onAdd }: { product: Product; onAdd: () => void }) {
  const { section, title, subtitle, priceEUR, desc, needs = [], icon } = product
  return (
    <li className={classes.product}>
      <Picture className={classes.picture} src={icon} width={400} height={300} alt="" />
      <div className={classes.said}>
        <p className={classes.section}>
          <span>{section}</span>
          {needs.some(need => missing.has(need)) && <span className={classes.coming}>{IN_THE_MAKING}</span>}
        </p>
        <h2>{title}</h2>
        <p className={classes.subtitle}>{subtitle}</p>
        {desc !== '' && <p className={classes.desc}>{desc}</p>}
        <p className={classes.price}>{priceEUR === undefined ? 'Preis auf Anfrage' : euros(priceEUR)}</p>
        <div className={classes.buttons}>
          <Button look="primary" aria-label={`${title}: In den Warenkorb`} onClick={onAdd}>
            In den Warenkorb
          </Button>
          <Link
            className={classes.ask}
            to={`/kontakt?produkt=${product.id}`}
            aria-label={`${title}: Anfragen`}
          >
            Anfragen
          </Link>
        </div>
      </div>
    </li>
  )
}
