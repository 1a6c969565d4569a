/** "Firma anlegen": a name, and then the two next steps. */
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type Company, pageAbout } from '../../entities/companies/useCompanies'
import { Form } from '../../patterns/Form'
import { Page } from '../../patterns/Page'
import { filled, useForm } from '../../patterns/useForm'
import { TextInput } from '../../ui/fields'
import { Check, ChevronRight, Layers, People } from '../../ui/icons'
import { Card } from '../../ui/layout'
import classes from './CreateCompanyPage.module.css'
import { texts } from './texts'
import { useCreateCompany } from './useCompany'

const EMPTY = { name: '' }
const RULES = { name: filled(texts.nameMissing) }

export function CreateCompanyPage() {
  const [created, setCreated] = useState<Company | null>(null)
  const form = useForm({
    initial: EMPTY,
    rules: RULES,
    acting: useCreateCompany(),
    input: ({ name }) => name.trim(),
    onDone: company => {
      setCreated(company)
      form.restart()
    },
  })
  return (
    <Page title={texts.createTitle} lead={texts.createLead}>
      <Card narrow label={texts.createTitle}>
        <Form form={form} buttons={texts.create}>
          <TextInput
            {...form.field('name')}
            label={texts.name}
            description={texts.nameHint}
            maxLength={200}
            autoComplete="off"
          />
        </Form>
      </Card>
      {created !== null && <NextSteps key={created.id} company={created} />}
    </Page>
  )
}

/** The created company and the next steps. It takes the focus: the form has done its work. */
function NextSteps({ company }: { company: Company }) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <Card narrow ref={place} tabIndex={-1} label={texts.nextSteps}>
      <p className={classes.created} role="status">
        <Check size={22} />
        {texts.created(company.name)}
      </p>
      <ul className={classes.steps}>
        <Step
          to={pageAbout('logins', company.id)}
          icon={People}
          name={texts.toLogins}
          hint={texts.toLoginsHint}
        />
        <Step
          to={pageAbout('companies', company.id)}
          icon={Layers}
          name={texts.toModules}
          hint={texts.toModulesHint}
        />
      </ul>
    </Card>
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
