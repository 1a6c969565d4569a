/** "Firma anlegen": a name, and then the two steps that follow. */
import { type ComponentType, type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/Button'
import { DoneBox } from '../../ui/DoneBox'
import { TextField } from '../../ui/fields'
import { ChevronRight, Layers, People } from '../../ui/icons'
import { ErrorNotice } from '../../ui/Notice'
import { PageFrame } from '../../ui/PageFrame'
import classes from './CreateCompanyPage.module.css'
import { texts } from './texts'
import { type Company, useCreateCompany } from './useCompanies'

interface CreateCompanyPageProps {
  /** Where a company's modules and logins are. */
  modulesOf: (companyId: string) => string
  loginsOf: (companyId: string) => string
}

export function CreateCompanyPage({ modulesOf, loginsOf }: CreateCompanyPageProps) {
  const [name, setName] = useState('')
  const [created, setCreated] = useState<Company | null>(null)
  const creating = useCreateCompany()
  const wanted = name.trim()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (wanted === '') return
    const company = await creating.run(wanted)
    if (company === null) return
    setCreated(company)
    setName('')
  }

  return (
    <PageFrame title={texts.createTitle} lead={texts.createLead}>
      <form className={classes.card} onSubmit={submit}>
        <TextField
          label={texts.name}
          description={texts.nameHint}
          value={name}
          onChange={setName}
          maxLength={200}
          autoComplete="off"
        />
        <ErrorNotice failure={creating.failure} />
        <div>
          <Button type="submit" look="primary" disabled={wanted === ''} busy={creating.busy}>
            {texts.create}
          </Button>
        </div>
      </form>
      {created !== null && (
        <Created
          key={created.id}
          company={created}
          modules={modulesOf(created.id)}
          logins={loginsOf(created.id)}
        />
      )}
    </PageFrame>
  )
}

function Created({ company, modules, logins }: { company: Company; modules: string; logins: string }) {
  const place = useRef<HTMLElement>(null)
  // The button that was pressed is disabled again: without this the keyboard would stand nowhere.
  useEffect(() => place.current?.focus(), [])
  return (
    <DoneBox
      ref={place}
      className={classes.done}
      tabIndex={-1}
      aria-label={texts.nextSteps}
      sentence={texts.created(company.name)}
      large
    >
      <ul className={classes.steps}>
        <Step to={logins} icon={People} name={texts.toLogins} hint={texts.toLoginsHint} />
        <Step to={modules} icon={Layers} name={texts.toModules} hint={texts.toModulesHint} />
      </ul>
    </DoneBox>
  )
}

interface StepProps {
  to: string
  icon: ComponentType<{ size?: number }>
  name: string
  hint: string
}

function Step({ to, icon: Icon, name, hint }: StepProps) {
  return (
    <li>
      <Link to={to} className={classes.step}>
        <Icon size={22} />
        <span>
          <span className={classes.stepName}>{name}</span>
          <span className={classes.stepHint}>{hint}</span>
        </span>
        <ChevronRight size={18} />
      </Link>
    </li>
  )
}
