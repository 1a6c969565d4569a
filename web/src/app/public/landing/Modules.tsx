import { Section } from '../parts/parts'
import classes from './Landing.module.css'
import { FOR_EVERYBODY, FOR_THE_OFFICE } from './modules'
import { Phones } from './Phones'

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
          <ul className={classes.office}>
            {FOR_THE_OFFICE.map(({ key, label, use }) => (
              <li key={key}>
                <strong>{label}</strong>
                <span>{use}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  )
}
