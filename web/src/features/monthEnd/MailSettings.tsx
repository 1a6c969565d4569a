/** Who gets each month by itself, and how. */
import { type KeyboardEvent, useState } from 'react'
import { Form } from '../../patterns/Form'
import { Served } from '../../patterns/Served'
import { succeed } from '../../patterns/succeed'
import { useForm } from '../../patterns/useForm'
import { Button } from '../../ui/Button'
import { Checkbox, EmailInput, PasswordInput } from '../../ui/fields'
import { Close, Plus } from '../../ui/icons'
import { Card } from '../../ui/layout'
import { Select } from '../../ui/Select'
import { Skeleton } from '../../ui/states'
import { texts } from './texts'
import { type Settings, useSaveSettings, useSettings } from './useMonthEnd'

const PASSWORD_LEAST = 12
const options = (named: Readonly<Record<string, string>>) =>
  Object.entries(named).map(([value, label]) => ({ value, label }))

export function MailSettings({ companyId }: { companyId: string }) {
  const settings = useSettings(companyId)
  return (
    <Card title={texts.settings} lead={texts.info} narrow>
      <Served query={settings} failed={texts.settingsFailed} skeleton={<Skeleton height={320} />}>
        {known => <SettingsForm key={JSON.stringify(known)} companyId={companyId} known={known} />}
      </Served>
    </Card>
  )
}

const typedOf = ({ active, delivery, recipients }: Settings) => ({
  active,
  delivery,
  recipients,
  zipPassword: '',
})
type Typed = ReturnType<typeof typedOf>

function SettingsForm({ companyId, known }: { companyId: string; known: Settings }) {
  const form = useForm({
    initial: typedOf(known),
    rules: {
      zipPassword: (password: string, { delivery }: Typed) =>
        delivery === 'zip' &&
        ((password === '' && !known.hasZipPassword && texts.zipPasswordNeeded) ||
          (password !== '' && password.length < PASSWORD_LEAST && texts.zipPasswordShort)),
    },
    acting: useSaveSettings(companyId),
    input: ({ recipients, zipPassword, ...rest }) => ({
      ...rest,
      useGmail: known.useGmail,
      recipients: recipients.map(email => ({ email })),
      ...(rest.delivery === 'zip' && zipPassword !== '' && { zipPassword }),
    }),
    onDone: () => succeed(texts.settingsSaved),
  })
  const { delivery, recipients } = form.values
  return (
    <Form form={form} buttons={texts.save}>
      <Select
        label={texts.method}
        data={options(texts.methods)}
        value="smtp"
        onChange={() => {}}
        description={texts.encrypted}
      />
      <Checkbox {...form.tick('active')} label={texts.active} />
      <Recipients recipients={recipients} onChange={next => form.set('recipients', next)} />
      <Select
        label={texts.delivery}
        data={options(texts.deliveries)}
        value={delivery}
        onChange={chosen => form.set('delivery', chosen)}
      />
      {delivery === 'zip' && (
        <PasswordInput
          {...form.field('zipPassword')}
          label={texts.zipPassword}
          description={known.hasZipPassword ? texts.zipPasswordKept : texts.zipPasswordHint}
          autoComplete="new-password"
        />
      )}
    </Form>
  )
}

interface RecipientsProps {
  recipients: readonly string[]
  onChange: (recipients: string[]) => void
}

/** Added by Enter or the button, removed by their x. */
function Recipients({ recipients, onChange }: RecipientsProps) {
  const [typed, setTyped] = useState('')
  const add = () => {
    const address = typed.trim()
    if (address === '') return
    setTyped('')
    onChange([...new Set([...recipients, address])])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <>
      <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 8 }}>
        <EmailInput
          style={{ flex: '1 1 200px' }}
          label={texts.recipient}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          autoComplete="off"
        />
        <Button icon={<Plus size={18} />} onClick={add}>
          {texts.add}
        </Button>
      </div>
      {recipients.length === 0 ? (
        <p className="muted">{texts.noRecipients}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: without its marks Safari takes it for no list
        <ul role="list" aria-label={texts.recipients} style={CHIPS}>
          {recipients.map(address => (
            <li key={address} style={{ maxWidth: '100%' }}>
              <Button
                icon={<Close size={16} />}
                style={CHIP}
                aria-label={texts.remove(address)}
                onClick={() => onChange(recipients.filter(other => other !== address))}
              >
                {address}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const CHIPS = { display: 'flex', flexWrap: 'wrap', gap: 8, margin: 0, padding: 0, listStyle: 'none' } as const
/** An address may be longer than a phone is wide. */
const CHIP = { maxWidth: '100%', whiteSpace: 'normal', overflowWrap: 'anywhere' } as const
