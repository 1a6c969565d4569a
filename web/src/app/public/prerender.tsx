/**
 * Renders the public pages to HTML at build time (`codegen/prerender.mjs`), with the same components that hydrate them
 * in the browser. Facts of the installation are tokens, which the service replaces.
 */
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { Broken } from '../frame/Broken'
import { Pages } from '../frame/Pages'
import { routes } from '../routes'
import { HEADS } from './heads'
import { publicPages } from './pages'
import { layOutSite, OPERATOR_FACTS, type Site } from './site'

/** Replaces every value by its path: the service fills in the value, a boolean as `true` or `false`. */
const token = <Value,>(path: string) => `⟦${path}⟧` as Value

const TOKENS: Site = {
  origin: token('origin'),
  today: token('today'),
  todayText: token('todayText'),
  inquiries: token('inquiries'),
  complete: token('complete'),
  operator: Object.fromEntries(
    OPERATOR_FACTS.map(name => [
      name,
      { text: token(`operator.${name}.text`), sample: token(`operator.${name}.sample`) },
    ]),
  ) as Site['operator'],
}

export const pages = publicPages.map(({ path, title }) => {
  const head = HEADS[path]
  if (head === undefined) throw new Error(`nothing is said of ${path}`)
  return { path, title, ...head }
})

export async function render(path: string): Promise<string> {
  layOutSite(TOKENS)
  await publicPages.find(page => page.path === path)?.Content.come()
  return renderToString(
    <Broken>
      <StaticRouter location={path}>
        <Pages routes={routes} />
        {null}
      </StaticRouter>
      {null}
    </Broken>,
  )
}
