/** Changes by version. `codegen/changelog.mjs` generates the project's CHANGELOG from the same data. */
import { Closing, Hero, Way } from '../parts/parts'
import classes from './Releases.module.css'
import releases from './releases.json'

const DAY = new Intl.DateTimeFormat('de-DE', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Newest first, in whatever order the file is. */
const NEWEST_FIRST = releases.toSorted((a, b) => b.date.localeCompare(a.date))

export function Releases() {
  return (
    <>
      <Hero title="Updates" lead="Was sich geändert hat, das Neueste zuerst." />
      <ol className={classes.releases}>
        {NEWEST_FIRST.map(({ version, date, title, changes }) => (
          <li key={version} id={version} className={classes.release}>
            <p className={classes.when}>
              <span className={classes.version}>{version}</span>
              <time dateTime={date}>{DAY.format(new Date(`${date}T00:00:00Z`))}</time>
            </p>
            <div>
              <h2>{title}</h2>
              <ul>
                {changes.map(change => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
      <Closing
        title="Neues kommt von selbst."
        actions={
          <Way to="/produkte" as="primary">
            Zur Uhr
          </Way>
        }
      >
        Die Weboberfläche meldet sich, wenn eine neue Version da ist, und wartet, bis du gespeichert hast.
      </Closing>
    </>
  )
}
