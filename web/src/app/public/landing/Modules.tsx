import { IN_THE_MAKING, missing } from '../missing'
import { Section } from '../parts/parts'
import classes from './Landing.module.css'
import { FOR_EVERYBODY, FOR_THE_OFFICE, type Module } from './modules'
import { Phones } from './Phones'

const READY = FOR_THE_OFFICE.filter(({ key }) => !missing.has(key))
const COMING = FOR_THE_OFFICE.filter(({ key }) => missing.has(key))

export function Modules() {
  return (
    <Section
      stamp="09:30 Module"
      title="Alles zwischen Kommen und Lohnabrechnung."
      lead="Fünf Seiten für alle, die arbeiten. Elf Module für die, die verwalten; freigeschaltet wird, was du brauchst."
    >
      <div className={classes.modules}>
        <Phones />
        <div className={classes.lists}>
          <h3>Für alle</h3>
          <ul className={classes.everybody}>
            {FOR_EVERYBODY.map(({ key, label, use }) => (
              <li key={key}>
                <strong>{label}</strong>
                <span>{use}</span>
              </li>
            ))}
          </ul>
          <h3>Für die Verwaltung</h3>
          {READY.length > 0 && <Short modules={READY} />}
          {COMING.length > 0 && (
            <>
              <p className={classes.coming}>{IN_THE_MAKING}</p>
              <Short modules={COMING} />
            </>
          )}
        </div>
      </div>
    </Section>
  )
}

function Short({ modules }: { modules: readonly Module[] }) {
  return (
    <ul className={classes.office}>
      {modules.map(({ key, label, use }) => (
        <li key={key}>
          <strong>{label}</strong>
          <span>{use}</span>
        </li>
      ))}
    </ul>
  )
}
